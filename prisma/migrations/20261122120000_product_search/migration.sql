-- What `q` searches: a narrow row for each live product, which changes only when its name, its SKUs or its place in the list do. An index
-- for this on products itself would make every other update of a product pay for it.

-- Upper and lower case of every alphabet, in a database of locale C too, where lower() knows ASCII alone. The result has the default
-- collation again, so that a comparison with it can use the index.
DO $$
DECLARE
  "chosen" text;
BEGIN
  SELECT format(' COLLATE %I', "collname") INTO "chosen" FROM "pg_collation"
  WHERE "collname" IN ('pg_c_utf8', 'und-x-icu') AND "collnamespace" = 'pg_catalog'::regnamespace
    AND "collencoding" IN (-1, (SELECT "encoding" FROM "pg_database" WHERE "datname" = current_database()))
  ORDER BY "collname" LIMIT 1;
  EXECUTE format(
    'CREATE FUNCTION "folded"(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN lower($1%s) COLLATE "default"',
    "chosen"
  );
END
$$;

CREATE TABLE "product_search" (
    "store_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "skus" TEXT NOT NULL,

    CONSTRAINT "product_search_pkey" PRIMARY KEY ("store_id","product_id")
);

INSERT INTO "product_search" ("store_id", "product_id", "created_at", "name", "skus")
SELECT p."store_id", p."id", p."created_at", folded(p."name"), coalesce(folded(v."skus"), '')
FROM "products" p LEFT JOIN (
  SELECT "store_id", "product_id", string_agg("sku", E'\n') AS "skus" FROM "variants" WHERE "deleted_at" IS NULL GROUP BY 1, 2
) v ON v."store_id" = p."store_id" AND v."product_id" = p."id"
WHERE p."deleted_at" IS NULL;

-- Without pg_trgm, or the right to create it, `q` reads the store's rows one by one: slower, with the same results.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE (
    SELECT format('CREATE INDEX "product_search_text_idx" ON "product_search" USING gin ("name" %1$I.gin_trgm_ops, "skus" %1$I.gin_trgm_ops)', "nspname")
    FROM "pg_extension" e JOIN "pg_namespace" n ON n.oid = e."extnamespace" WHERE "extname" = 'pg_trgm'
  );
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'product_search has no trigram index: %', SQLERRM;
END
$$;
ANALYZE "product_search";
