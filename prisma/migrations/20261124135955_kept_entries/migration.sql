-- Entries carry the key of their owner in "installation_id". It is the id of the installation that began to write them. The next
-- installation of the app takes the key over, so no entry is written for it, and the ended one gets the key that is left.
ALTER TABLE "installations" ADD COLUMN "entries_key" UUID;
-- The sweep gives a time to an ended installation that has entries and lacks one.
ALTER TABLE "installations" ADD COLUMN "entries_until" TIMESTAMPTZ(3);
