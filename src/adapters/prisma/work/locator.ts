import { NO_STORE, type Located, type Locator } from '../../../domain/ports/locator.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const ROW = { storeId: 'uuid' } as const;

/** No index has the id alone, so each store is asked, in its own part of the key. */
const locate = (table: string, id = 'id', stores = 'stores') => ({
  text: `SELECT t.store_id AS "storeId" FROM ${stores} s JOIN ${table} t ON t.store_id = s.id AND t.${id} = $id`,
  parameters: { id: 'uuid' } as const,
  row: ROW,
});

const STATEMENTS = {
  delivery: statement(locate('deliveries')),
  'install-request': statement(locate('install_requests')),
  installation: statement(locate('installations')),
  'media-import': statement(locate('media_imports')),
  redelivery: statement(locate('redeliveries')),
  request: statement(locate('request_log', 'request_id', `(SELECT id FROM stores UNION ALL SELECT '${NO_STORE}')`)),
  store: statement({ text: 'SELECT id AS "storeId" FROM stores WHERE id = $id', parameters: { id: 'uuid' } as const, row: ROW }),
  subscription: statement(locate('subscriptions')),
} satisfies Record<Located, unknown>;

export const locator = (sql: Sql): Locator => ({
  storeOf: async (kind, id) => (await sql.rows(STATEMENTS[kind], { id }))[0]?.storeId ?? null,
});
