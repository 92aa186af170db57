-- A revision is drawn by chance whenever its row, or a row that its document shows below it, is written. So no two contents ever have the same one,
-- neither after a rollback, nor in a restored database, nor on the other timeline after a failover, where xmin and counters repeat.
--
-- The rows that exist share one of their table, drawn now: a document is kept and tagged by its id as well, and a constant is kept beside the
-- table, where a default that differs by row would write every row again.

-- The statements of the server draw a revision themselves. This is for an older server beside a new one, and for SQL by hand.
CREATE FUNCTION "draw_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := gen_random_uuid();
  RETURN NEW;
END
$$;

DO $$
DECLARE
  revised text;
BEGIN
  FOREACH revised IN ARRAY ARRAY['products', 'categories', 'tax_classes', 'collections'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN "revision" UUID NOT NULL DEFAULT %L', revised, gen_random_uuid());
    EXECUTE format('ALTER TABLE %I ALTER COLUMN "revision" SET DEFAULT gen_random_uuid()', revised);
    EXECUTE format('CREATE TRIGGER "draw_revision" BEFORE UPDATE ON %I FOR EACH ROW WHEN (OLD.revision = NEW.revision) EXECUTE FUNCTION "draw_revision"()', revised);
  END LOOP;
END
$$;
