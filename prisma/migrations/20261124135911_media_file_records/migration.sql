-- Tells a file that was freed and announced again from one that was there all the time. Null for files of older versions.
ALTER TABLE "media_files" ADD COLUMN "record" UUID;
