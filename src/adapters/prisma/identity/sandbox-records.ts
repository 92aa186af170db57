import { MAX_SANDBOX_RECORDS } from '../../../domain/identity/sandbox.ts';
import type { SandboxRecords } from '../../../domain/ports/identity/sandbox-records.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';

const rowsOf = (table: string, ...contents: readonly string[]): string => `
  SELECT ${['0', ...contents.map((content) => `coalesce(pg_column_size(${content}), 0)`)].join(' + ')} AS bytes
  FROM ${table} WHERE store_id = $storeId`;

/** No column is read to be measured: what is kept apart for its size has its size beside its place. */
const RECORDS = [
  rowsOf('events', 'body', 'whole_body'),
  rowsOf('deliveries', 'body'),
  rowsOf('delivery_attempts', 'response'),
  rowsOf('gathered_events'),
  rowsOf('idempotency_records', 'body'),
  rowsOf('merchant_keys', 'body'),
  rowsOf('redeliveries', 'filter'),
  rowsOf('media_import_items', 'source_url', 'alt_text'),
  `
  SELECT 0 AS bytes FROM pending_events e JOIN subscriptions s ON s.store_id = $storeId WHERE e.store_id = $storeId`,
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

/** While one store has most of a table, a scan of the whole table looks cheaper to PostgreSQL. */
const BY_KEYS = { looksUpByKeys: true };

export const sandboxRecords = (database: Database): SandboxRecords => ({
  count: async (storeId) => {
    const [row] = await database.transaction((sql) => sql.rows(COUNT, { storeId }), BY_KEYS);
    if (!row) return null;
    const [records = 0, bytes = 0] = row.counted;
    return { records, bytes };
  },
});
