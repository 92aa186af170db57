-- Outside a transaction.
-- Fills the older rows in batches of 1,000 pages, each in a transaction of its own. When it is interrupted, the next start goes through the pages again.
DO $$
DECLARE
  older CONSTANT text[] := ARRAY[
    ['client_secrets', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['signing_secrets', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['access_tokens', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['app_console_sessions', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['idempotency_records', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['idempotency_uses', '(SELECT o.store_id FROM installations o WHERE o.id = t.installation_id)'],
    ['delivery_attempts', '(SELECT o.store_id FROM deliveries o WHERE o.id = t.delivery_id)'],
    ['media_import_items', '(SELECT o.store_id FROM media_imports o WHERE o.id = t.import_id)'],
    ['request_log', '''00000000-0000-0000-0000-000000000000''']];
  pages bigint;
BEGIN
  FOR place IN 1 .. array_length(older, 1) LOOP
    pages := pg_relation_size(older[place][1]::regclass) / current_setting('block_size')::bigint;
    FOR page IN 0 .. pages BY 1000 LOOP
      EXECUTE format('UPDATE %I t SET store_id = %s WHERE t.store_id IS NULL AND t.ctid >= ''(%s,0)'' AND t.ctid < ''(%s,0)''',
        older[place][1], older[place][2], page, page + 1000);
      COMMIT;
    END LOOP;
  END LOOP;
END $$;
