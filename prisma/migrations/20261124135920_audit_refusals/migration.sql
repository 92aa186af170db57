-- How many refusals of each kind its present hour has, and how many of them asked for an entry of their own. They bound the entries of the audit log.
CREATE TABLE "audit_refusals" (
    "kind" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "listed" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,

    CONSTRAINT "audit_refusals_pkey" PRIMARY KEY ("kind")
);
