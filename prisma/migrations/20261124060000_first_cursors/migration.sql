-- The position up to which a cursor of the first version may be: it has no seal, so anybody can make one for any position. A store that is
-- made later has none.
ALTER TABLE "feed_heads" ADD COLUMN "first_cursors" BIGINT NOT NULL DEFAULT 0;
UPDATE "feed_heads" SET "first_cursors" = "head" WHERE "head" > 0;

-- Whether cursors are sealed. Processes before this version read only the first one, so a newer one gives that out until it has seen none of
-- them for a while, and then writes the positions above again.
ALTER TABLE "schema_generation" ADD COLUMN "sealed_cursors" BOOLEAN NOT NULL DEFAULT false;
UPDATE "schema_generation" SET "sealed_cursors" = NOT EXISTS (SELECT FROM "feed_heads");
