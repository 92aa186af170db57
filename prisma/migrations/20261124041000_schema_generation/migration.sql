-- Which processes may work on this schema. One row: the generation of the schema, and the lowest generation of a process. A process reads it
-- before it takes an event, and stops when its own is lower.
CREATE TABLE "schema_generation" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "present" INTEGER NOT NULL,
    "oldest_process" INTEGER NOT NULL,

    CONSTRAINT "schema_generation_pkey" PRIMARY KEY ("id")
);
INSERT INTO "schema_generation" ("present", "oldest_process") VALUES (1, 1);

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

ALTER TABLE "schema_generation" ADD CONSTRAINT "schema_generation_check" CHECK ("id" = 1 AND "oldest_process" BETWEEN 1 AND "present");
