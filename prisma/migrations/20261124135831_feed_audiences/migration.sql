-- Null is right for what was there, and for what processes of the version before write: the reader looks at these events one by one.
ALTER TABLE "feed" ADD COLUMN "audience" TEXT;
