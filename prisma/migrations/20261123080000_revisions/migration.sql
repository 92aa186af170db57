-- A revision is drawn by chance whenever its row, or a row that its document shows below it, is written. So no two contents ever have the same one,
-- neither after a rollback, nor in a restored database, nor on the other timeline after a failover, where xmin and counters repeat. Each row that
-- exists gets its own, which rewrites the tables once.
ALTER TABLE "products" ADD COLUMN "revision" UUID NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE "categories" ADD COLUMN "revision" UUID NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE "tax_classes" ADD COLUMN "revision" UUID NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE "collections" ADD COLUMN "revision" UUID NOT NULL DEFAULT gen_random_uuid();
