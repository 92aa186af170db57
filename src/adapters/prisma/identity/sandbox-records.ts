import { MAX_SANDBOX_RECORDS } from '../../../domain/identity/sandbox.ts';
import type { SandboxRecords } from '../../../domain/ports/identity/sandbox-records.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';

/** In the order of the primary key, so that no row of another store is read. */
const rowsOf = (table: string, key: string, contents: readonly string[]): string => `
  (SELECT ${['0', ...contents.map((content) => `coalesce(pg_column_size(${content}), 0)`)].join(' + ')} AS bytes
   FROM ${table} WHERE store_id = $storeId ORDER BY ${key} LIMIT ${MAX_SANDBOX_RECORDS})`;

/** No column is read to be measured: what is kept apart for its size has its size beside its place. */
const RECORDS = [
  rowsOf('events', 'id', ['body', 'whole_body']),
  rowsOf('deliveries', 'id', ['body']),
  rowsOf('delivery_attempts', 'delivery_id, number', ['response']),
  rowsOf('gathered_events', 'delivery_id, event_id', []),
  rowsOf('idempotency_records', 'installation_id, key', ['body']),
  rowsOf('merchant_keys', 'key', ['body']),
  rowsOf('redeliveries', 'id', ['filter']),
  rowsOf('media_import_items', 'import_id, index', ['source_url', 'alt_text']),
  `
  (SELECT 0 AS bytes FROM (SELECT FROM pending_events WHERE store_id = $storeId ORDER BY seq LIMIT ${MAX_SANDBOX_RECORDS}) e
   CROSS JOIN (SELECT FROM subscriptions WHERE store_id = $storeId ORDER BY id) s LIMIT ${MAX_SANDBOX_RECORDS})`,
].join(`
  UNION ALL`);

/** The subquery belongs to the row of a sandbox, so of the store of a merchant nothing else is read. */
const COUNT = statement({
  text: `
    SELECT (SELECT ARRAY[count(*), coalesce(sum(r.bytes), 0)]::float8[] FROM (${RECORDS}
      LIMIT ${MAX_SANDBOX_RECORDS}) r) AS counted
    FROM stores WHERE id = $storeId AND sandbox_app_id IS NOT NULL`,
  parameters: { storeId: 'uuid' },
  row: { counted: 'float8[]' },
});

/** While one store has most of a table, a scan and a sort look cheaper to PostgreSQL, and take several times as long. */
const BY_KEYS = { looksUpByKeys: true };

export const sandboxRecords = (database: Database): SandboxRecords => ({
  count: async (storeId) => {
    const [row] = await database.transaction((sql) => sql.rows(COUNT, { storeId }), BY_KEYS);
    if (!row) return null;
    const [records = 0, bytes = 0] = row.counted;
    return { records, bytes };
  },
});
