-- A B-tree takes 2,704 bytes at most, and a URL of 2,048 characters can have more. A hash index takes any.
DROP INDEX "media_store_id_storage_key_idx";
CREATE INDEX "media_storage_key_idx" ON "media" USING HASH ("storage_key");
