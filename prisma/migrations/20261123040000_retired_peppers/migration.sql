-- The peppers of keys that are not the first of SECRET_KEYS any more, sealed under the first. A client secret that was hashed under one of them
-- is checked without its key. id: SHA-256 of the pepper.
CREATE TABLE "retired_peppers" (
    "id" BYTEA NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retired_peppers_pkey" PRIMARY KEY ("id")
);
