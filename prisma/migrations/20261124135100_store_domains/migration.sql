-- The store of each domain, of no store itself: each node of a Citus has all of it, so a node finds a store while the worker of another store is
-- away, and a domain has one store. store: the id; the column has another name than the store of a row has, since these rows belong to no store.
CREATE TABLE "store_domains" (
    "domain" TEXT NOT NULL,
    "store" UUID NOT NULL,

    CONSTRAINT "store_domains_pkey" PRIMARY KEY ("domain")
);

CREATE INDEX "store_domains_store_idx" ON "store_domains"("store");

-- What Prisma's schema cannot say ------------------------------------------------------------------------------------

-- Processes of the version before do not write it. "store_domains_kept" drops the trigger when none is left.
CREATE FUNCTION domain_of_store() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM store_domains WHERE domain = OLD.domain AND store = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO store_domains (domain, store) VALUES (NEW.domain, NEW.id) ON CONFLICT (domain) DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- A Citus takes no such trigger, and the version before does not run on one.
DO $$
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    CREATE TRIGGER keep_domain AFTER INSERT OR UPDATE OF domain OR DELETE ON "stores" FOR EACH ROW EXECUTE FUNCTION domain_of_store();
  END IF;
END
$$;

INSERT INTO "store_domains" (domain, store)
SELECT domain, id FROM "stores" s WHERE NOT EXISTS (SELECT FROM "store_erasures" x WHERE x.store_id = s.id);
