import { beforeAll, describe, expect, it } from 'vitest';

import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { freshStatements } from './named-statements.ts';
import { schemaColumns } from './schema.ts';
import { unboundIn } from './store-bound.ts';

/** Tables whose rows belong to no store, and why. */
const OF_NO_STORE: Readonly<Record<string, string>> = {
  audit_refusals: 'counts what people of the whole server and strangers were refused',
  console_sessions: 'a merchant signs in to all stores',
  operators: 'people of the whole server',
  platform_apps: 'an app of many stores',
  platform_client_secrets: 'an app of many stores',
  platform_signing_secrets: 'an app of many stores',
  developer_sessions: 'of an app of many stores',
  operator_tokens: 'people of the whole server',
  sign_in_methods: 'people of the whole server',
  epochs: 'one history of the whole database',
  retired_peppers: 'the keys of the server',
  schema_generation: 'one row, about the schema and the last backup',
  processes: 'they serve all stores',
  store_domains: 'a host name finds its store there',
};

/** Statements that are for all stores by what they do, and why. */
const SWEEPS: Readonly<Record<string, string>> = {
  'archive/catalogue-statements.ts FOLD_AGAIN': 'a restore of all stores',
  'archive/catalogue-statements.ts LAST_PENDING': 'a restore of all stores',
  'archive/catalogue-statements.ts MEDIA_KEYS': 'a backup of all stores',
  'archive/catalogue-statements.ts SEALED_UNDER': 'a backup of all stores',
  'archive/catalogue-statements.ts STORE_RECORD': 'finds the store that an operator names',
  'connection/older-processes.ts SEAL': 'once for all feeds',
  'connection/write-check.ts MAY_WRITE': 'touches no row',
  'erasure/store-erasure.ts OPEN_ERASURES': 'lists the stores to erase',
  'idempotency/key-log.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'idempotency/key-log.ts PURGE.find': 'looks for the oldest of all stores',
  'idempotency/idempotency-repository.ts UNINSTALLED_APPS': 'lists the apps that have work',
  'idempotency/idempotency-repository.ts KEYS.purgeAbandoned.end': 'deletes by age, where `find` has found rows',
  'idempotency/idempotency-repository.ts KEYS.purgeAbandoned.find': 'looks for the oldest of all stores',
  'idempotency/idempotency-repository.ts KEYS.purgeFinished.end': 'deletes by age, where `find` has found rows',
  'idempotency/idempotency-repository.ts KEYS.purgeFinished.find': 'looks for the oldest of all stores',
  'identity/admission-elsewhere.ts SESSION_ELSEWHERE': 'finds the other store of a session that is refused, for the log',
  'identity/admission-elsewhere.ts TOKEN_ELSEWHERE': 'finds the other store of a token that is refused, for the log',
  'webhooks/feed/app-life.ts STORES_TO_TELL': 'lists the stores that have work',
  'identity/event-addresses.ts ADD_MISSING': 'an app has its event address on all stores',
  'identity/event-addresses.ts LIST': 'lists the event addresses of an app on all stores',
  'catalogue/product-import-log.ts ABANDON_PRODUCT_IMPORTS.end': 'ends what a killed server left, where `find` has found it',
  'catalogue/product-import-log.ts ABANDON_PRODUCT_IMPORTS.find': 'looks for what a killed server left in all stores',
  'catalogue/product-import-log.ts PURGE_PRODUCT_IMPORTS.end': 'deletes by age, where `find` has found rows',
  'catalogue/product-import-log.ts PURGE_PRODUCT_IMPORTS.find': 'looks for the oldest of all stores',
  'identity/event-addresses.ts MOVE': 'an app has its event address on all stores',
  'identity/install-requests.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'identity/install-requests.ts PURGE.find': 'looks for the oldest of all stores',
  'identity/platform-app-repository.ts BEYOND_MANIFEST': 'lists the installations of an app on all stores',
  'identity/platform-app-repository.ts COUNT_INSTALLATIONS': 'counts the installations of an app on all stores',
  'identity/platform-app-repository.ts INSTALLATIONS': 'lists the installations of an app on all stores',
  'identity/platform-app-repository.ts RENAME_INSTALLATIONS': 'an app has its name on all stores',
  'identity/session-end.ts END_OF_APP_AFTER': 'a rotation of the secret of an app is for all stores',
  'work/locator.ts STATEMENTS.install-request': 'finds the store of an id',
  'identity/claim-domain.ts CLAIM_ALL': 'a restore of all stores',
  'identity/app-console-sessions.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'identity/app-console-sessions.ts PURGE.find': 'looks for the oldest of all stores',
  'identity/sealed-secrets.ts FORGET.expired': 'a lost key is that of all stores',
  'identity/sealed-secrets.ts FORGET.ofUninstalled': 'a lost key is that of all stores',
  'identity/sealed-secrets.ts OWNERS': 'a lost key is that of all stores',
  'identity/sealed-secrets.ts USE': 'a lost key is that of all stores',
  'identity/sealed-secrets.ts SAMPLES': 'checks SECRET_KEYS, which are for all stores',
  'identity/sealed-secrets.ts SIGNING_SECRETS.page': 'a rotation of SECRET_KEYS is for all stores',
  'identity/sealed-secrets.ts SUBSCRIPTIONS.page': 'a rotation of SECRET_KEYS is for all stores',
  'identity/secret-rotation.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'identity/secret-rotation.ts PURGE.find': 'looks for the oldest of all stores',
  'identity/store-repository.ts COUNT': 'counts the stores',
  'identity/store-repository.ts LIST': 'lists the stores',
  'identity/store-repository.ts SANDBOXES': 'lists the sandbox stores of an app',
  'identity/token-repository.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'identity/token-repository.ts PURGE.find': 'looks for the oldest of all stores',
  'identity/watched-installations.ts COUNT': 'counts the installations of an app on all stores',
  'identity/watched-installations.ts WATCH': 'lists the installations of an app on all stores',
  'insight/audit-statements.ts LIST_OF_ALL': 'an owner reads the changes of all stores',
  'insight/audit-statements.ts LIST_REFUSED_OF_ALL': 'an owner reads the changes of all stores',
  'insight/audit-statements.ts PURGE_AUDIT.end': 'deletes by age, where `find` has found rows',
  'insight/audit-statements.ts PURGE_AUDIT.find': 'looks for the oldest of all stores',
  'insight/figures.ts PURGE_FIGURES.calls.end': 'deletes by age, where `find` has found rows',
  'insight/figures.ts PURGE_FIGURES.calls.find': 'looks for the oldest of all stores',
  'insight/figures.ts PURGE_FIGURES.deliveries.end': 'deletes by age, where `find` has found rows',
  'insight/figures.ts PURGE_FIGURES.deliveries.find': 'looks for the oldest of all stores',
  'insight/figures.ts PURGE_FIGURES.refusals.end': 'deletes by age, where `find` has found rows',
  'insight/figures.ts PURGE_FIGURES.refusals.find': 'looks for the oldest of all stores',
  'insight/figures.ts STORES_TO_CONDENSE.calls': 'lists the stores that have work',
  'insight/figures.ts STORES_TO_CONDENSE.deliveries': 'lists the stores that have work',
  'insight/figures.ts STORES_TO_CONDENSE.refusals': 'lists the stores that have work',
  'insight/incident-notices.ts DUE_NOTICES': 'one message has the incidents of all stores',
  'insight/incident-statements.ts LIST_ALL': 'lists the incidents of all stores, for an operator',
  'insight/incident-statements.ts OPEN_INCIDENTS': 'compares what is open in all stores with what is there',
  'insight/incident-statements.ts PURGE_INCIDENTS.end': 'deletes by age, where `find` has found rows',
  'insight/incident-statements.ts PURGE_INCIDENTS.find': 'looks for the oldest of all stores',
  'insight/request-log-statements.ts PURGE_REFUSALS.end': 'deletes by age, where `find` has found rows',
  'insight/request-log-statements.ts PURGE_REFUSALS.find': 'looks for the oldest of all stores',
  'media/media-file-repository.ts PAGE': 'lists the files of all stores',
  'media/media-import-repository.ts ALL_TO_RUN': 'lists the work of all stores',
  'media/media-import-repository.ts COUNT_OPEN': 'one figure for the metrics of the server',
  'media/media-import-repository.ts PURGE_MEDIA_IMPORTS.end': 'deletes by age, where `find` has found rows',
  'media/media-import-repository.ts PURGE_MEDIA_IMPORTS.find': 'looks for the oldest of all stores',
  'webhooks/queue/ending.ts STORES_TO_END': 'lists the stores that have work',
  'webhooks/queue/delivery-sweeps.ts FIGURES': 'figures for the metrics of the server',
  'webhooks/queue/delivery-sweeps.ts PURGE.end': 'deletes by age, where `find` has found rows',
  'webhooks/queue/delivery-sweeps.ts PURGE.find': 'looks for the oldest of all stores',
  'webhooks/queue/delivery-sweeps.ts PURGE_EVENTS.end': 'deletes by age, where `find` has found rows',
  'webhooks/queue/delivery-sweeps.ts PURGE_EVENTS.find': 'looks for the oldest of all stores',
  'webhooks/attempts/settle.ts SETTLE': 'one batch of a worker, over the stores that it serves',
  'webhooks/attempts/operational-events.ts ENDING': 'one batch of a worker, over the stores that it serves',
  'webhooks/attempts/operational-events.ts STATES': 'one batch of a worker, over the stores that it serves',
  'webhooks/queue/delivery-sweeps.ts STORES_TO_EXPIRE': 'lists the stores that have work',
  'webhooks/queue/delivery-sweeps.ts STORES_TO_FAN_OUT': 'lists the stores that have work',
  'webhooks/queue/delivery-sweeps.ts TO_WAKE': 'lists the subscriptions of all stores that have work',
  'webhooks/feed/event-feed.ts STORES_TO_PURGE': 'lists the stores that have work',
  'webhooks/feed/feed-signal.ts HEADS': 'looks at the feeds of all stores that requests wait for',
  'webhooks/incident-signals.ts DEACTIVATED': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts FAILING': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts IMPORTS_FAILED': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts IMAGES_FAILED': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts LATE': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts STORES_REFUSED': 'looks for what is wrong in all stores',
  'webhooks/incident-signals.ts REFUSED': 'looks for what is wrong in all stores',
  'webhooks/invariants.ts INVARIANT_CHECKS.attempts_recorded': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.audit_chained': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.deliveries_served': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.events_fanned_out': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.events_placed': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.feed_without_gaps': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.keys_have_runners': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.pending_queued': 'looks at all stores at one moment',
  'webhooks/invariants.ts INVARIANT_CHECKS.queue_pending': 'looks at all stores at one moment',
  'webhooks/queue/redelivery-repository.ts OPEN_REDELIVERIES': 'lists the work of all stores',
  'webhooks/queue/redelivery-repository.ts PURGE_REDELIVERIES.end': 'deletes by age, where `find` has found rows',
  'webhooks/queue/redelivery-repository.ts PURGE_REDELIVERIES.find': 'looks for the oldest of all stores',
  'webhooks/queue/repairs.ts FIND_UNPLACED': 'lists what is to be repaired in all stores',
  'webhooks/queue/repairs.ts FIND_UNQUEUED': 'lists what is to be repaired in all stores',
  'work/locator.ts STATEMENTS.delivery': 'finds the store of an id',
  'work/locator.ts STATEMENTS.installation': 'finds the store of an id',
  'work/locator.ts STATEMENTS.media-import': 'finds the store of an id',
  'work/locator.ts STATEMENTS.redelivery': 'finds the store of an id',
  'work/locator.ts STATEMENTS.request': 'finds the store of an id',
  'work/locator.ts STATEMENTS.store': 'finds the store of an id',
  'work/locator.ts STATEMENTS.subscription': 'finds the store of an id',
};

const columns = schemaColumns();
const tables = new Set(columns.map((column) => column.split('.')[0]));
const hasStore = (table: string): boolean => tables.has(table) && !(table in OF_NO_STORE);

describe('every statement of src/adapters/prisma', () => {
  /** Faults by the statement's name. */
  const faults = new Map<string, string[]>();
  beforeAll(async () => {
    for (const { file, name: constant, statement } of await freshStatements()) {
      const name = `${file} ${constant}`;
      faults.set(name, [...(faults.get(name) ?? []), ...(await unboundIn(statement, hasStore))]);
    }
  });

  it('names its store for every table that it reads or writes, unless it is a sweep', () => {
    const found = [...faults].flatMap(([name, all]) => (name in SWEEPS ? [] : all.map((fault) => `${name}: ${fault}`)));
    expect(found).toEqual([]);
    expect(faults.size).toBeGreaterThan(0);
  });

  it('that names its store is not listed as a sweep', () => {
    const stale = Object.keys(SWEEPS).filter((name) => (faults.get(name) ?? []).length === 0);
    expect(stale.map((name) => `${name} names its store, or is gone: remove it from the list`)).toEqual([]);
  });
});

it('a table has a store, unless it is listed as one of no store', () => {
  const listed = Object.keys(OF_NO_STORE);
  expect(listed.filter((table) => !tables.has(table) || columns.includes(`${table}.store_id`))).toEqual([]);
});

const PARAMETERS = { storeId: 'uuid', storeIds: 'uuid[]', id: 'uuid' } as const;

/** Judges a statement with the parameters that its text uses. */
const faultsOf = (text: string): Promise<string[]> => {
  const used = Object.entries(PARAMETERS).filter(([name]) => new RegExp(`\\$${name}\\b`).test(text));
  return unboundIn(compileStatement({ text, parameters: Object.fromEntries(used) }), hasStore);
};

const unbound = (table: string, alias = table, column = 'store_id'): string =>
  `${alias === table ? table : `${table} ${alias}`} is not bound to the store: add ${alias}.${column} = $storeId to its WHERE or ON`;

describe('a statement that leaves the store out is refused', () => {
  it.each<[string, string, ...string[]]>([
    ['a read by id', 'SELECT name FROM products WHERE id = $id', unbound('products')],
    ['a read of stores', 'SELECT name FROM stores WHERE domain = $id', unbound('stores', 'stores', 'id')],
    ['another parameter', 'SELECT name FROM products WHERE store_id = $id', unbound('products')],
    ['a list of stores', 'SELECT name FROM products WHERE store_id = ANY ($storeIds)', unbound('products')],
    ['a comparison', 'SELECT name FROM products WHERE (store_id, id) > ($storeId, $id)', unbound('products')],
    ['another store', 'SELECT name FROM products WHERE store_id <> $storeId', unbound('products')],
    ['OR', 'SELECT name FROM products WHERE store_id = $storeId OR id = $id', unbound('products')],
    ['NOT', 'SELECT name FROM products WHERE NOT (store_id = $storeId AND id = $id)', unbound('products')],
    [
      'a condition that may be null',
      'SELECT name FROM products WHERE $storeId::uuid IS NULL OR store_id = $storeId',
      unbound('products'),
    ],
    [
      'a table that is joined by its id',
      'SELECT FROM products p JOIN categories c ON c.id = p.category_id WHERE p.store_id = $storeId',
      unbound('categories', 'c'),
    ],
    ['a second table', 'SELECT FROM products p, media m WHERE p.store_id = $storeId', unbound('media', 'm')],
    [
      'both tables',
      'SELECT FROM products p JOIN media m ON m.store_id = p.store_id',
      unbound('products', 'p'),
      unbound('media', 'm'),
    ],
    [
      'the kept side of an outer join',
      'SELECT FROM products p LEFT JOIN media m ON m.store_id = p.store_id AND p.store_id = $storeId',
      unbound('products', 'p'),
      unbound('media', 'm'),
    ],
    [
      'both sides of a full join',
      'SELECT FROM products p FULL JOIN media m ON m.store_id = $storeId AND p.store_id = $storeId',
      unbound('products', 'p'),
      unbound('media', 'm'),
    ],
    [
      'a subquery in WHERE',
      'SELECT FROM products WHERE store_id = $storeId AND id IN (SELECT product_id FROM media WHERE id = $id)',
      unbound('media'),
    ],
    [
      'EXISTS',
      'SELECT FROM products p WHERE p.store_id = $storeId AND EXISTS (SELECT FROM media WHERE product_id = p.id)',
      unbound('media'),
    ],
    [
      'what only the query around it names',
      'SELECT ARRAY(SELECT m.id FROM media m WHERE m.store_id = p.store_id) FROM products p WHERE p.store_id = $storeId',
      unbound('media', 'm'),
    ],
    [
      'LATERAL',
      'SELECT FROM products p CROSS JOIN LATERAL (SELECT id FROM media WHERE store_id = p.store_id) m WHERE p.store_id = $storeId',
      unbound('media'),
    ],
    ['a subquery in FROM', 'SELECT FROM (SELECT * FROM products) p WHERE p.store_id = $storeId', unbound('products')],
    [
      'a column of a subquery that is not the store',
      'SELECT FROM (SELECT category_id AS store_id FROM products WHERE store_id = $storeId) p JOIN media m ON m.store_id = p.store_id',
      unbound('media', 'm'),
    ],
    [
      'a CTE that has the name of its table',
      'WITH media AS (SELECT $id UNION SELECT id FROM media) SELECT FROM media',
      unbound('media'),
    ],
    ['a CTE', 'WITH found AS (SELECT id FROM products) SELECT FROM found', unbound('products')],
    [
      'an arm of a UNION',
      'SELECT id FROM products WHERE store_id = $storeId UNION ALL SELECT id FROM media WHERE id = $id',
      unbound('media'),
    ],
    [
      'a UNION that has the store in one arm alone',
      'SELECT FROM (SELECT $storeId::uuid AS store_id UNION SELECT $id) u JOIN media m ON m.store_id = u.store_id',
      unbound('media', 'm'),
    ],
    [
      'a recursive CTE that leaves the store',
      `WITH RECURSIVE up(store_id, id) AS (
         SELECT store_id, parent_id FROM categories WHERE store_id = $storeId
         UNION ALL SELECT u.id, u.id FROM up u JOIN categories c ON c.store_id = u.store_id) SELECT FROM up`,
      unbound('categories', 'c'),
    ],
    ['ORDER BY', 'SELECT FROM products WHERE store_id = $storeId ORDER BY (SELECT max(id) FROM media)', unbound('media')],
    ['an UPDATE', 'UPDATE products SET name = name WHERE id = $id', unbound('products')],
    [
      'an UPDATE from another table',
      'UPDATE products p SET name = c.name FROM categories c WHERE p.store_id = $storeId AND c.id = p.category_id',
      unbound('categories', 'c'),
    ],
    ['SET', 'UPDATE products SET name = (SELECT max(name) FROM categories) WHERE store_id = $storeId', unbound('categories')],
    [
      'SET of the store',
      'UPDATE media SET store_id = $id WHERE store_id = $storeId',
      'UPDATE of media writes a store_id that is not bound to the store',
    ],
    ['a DELETE', 'DELETE FROM products WHERE id = $id', unbound('products')],
    [
      'a DELETE by what a subquery finds',
      'DELETE FROM products WHERE ctid = ANY (ARRAY(SELECT ctid FROM products WHERE store_id = $storeId LIMIT 1))',
      unbound('products'),
    ],
    [
      'a DELETE with USING',
      'DELETE FROM media m USING unnest($storeIds::uuid[]) AS t(store_id) WHERE m.store_id = t.store_id',
      unbound('media', 'm'),
    ],
    ['RETURNING', 'DELETE FROM media WHERE store_id = $storeId RETURNING (SELECT max(name) FROM products)', unbound('products')],
    [
      'an INSERT without the column',
      'INSERT INTO media (id) VALUES ($id)',
      'INSERT INTO media does not name its column store_id',
    ],
    ['an INSERT without columns', 'INSERT INTO media VALUES ($id)', 'INSERT INTO media does not name its column store_id'],
    [
      'an INSERT for another store',
      'INSERT INTO media (id, store_id) VALUES ($id, $storeId), ($id, $id)',
      'INSERT INTO media writes a store_id that is not bound to the store: insert $storeId',
    ],
    [
      'an INSERT of what is read by id',
      'INSERT INTO media (store_id) SELECT store_id FROM products WHERE id = $id',
      'INSERT INTO media writes a store_id that is not bound to the store: insert $storeId',
      unbound('products'),
    ],
    [
      'ON CONFLICT',
      'INSERT INTO media (store_id, id) VALUES ($storeId, $id) ON CONFLICT (id) DO NOTHING',
      'ON CONFLICT of media leaves store_id out',
    ],
    ['TABLESAMPLE', 'SELECT FROM media TABLESAMPLE system (1)', unbound('media')],
    ['COPY', 'COPY media TO STDOUT', unbound('media')],
    ['TRUNCATE', 'TRUNCATE media', unbound('media')],
    ['LOCK', 'LOCK TABLE media', unbound('media')],
  ])('%s', async (_title, text, ...faults) => {
    expect((await faultsOf(text)).sort()).toEqual([...faults].sort());
  });
});

describe('a statement that names its store is accepted', () => {
  it.each([
    ['a read', 'SELECT name FROM products WHERE store_id = $storeId AND id = $id'],
    ['a read of stores', 'SELECT name FROM stores WHERE id = $storeId'],
    ['with a cast', 'SELECT name FROM products WHERE $storeId::uuid = products.store_id'],
    ['hidden from the statistics', 'SELECT name FROM products WHERE store_id = (SELECT $storeId::uuid)'],
    ['in a row', 'SELECT name FROM products WHERE (store_id, id) = ($storeId, $id)'],
    ['by a column that is bound', 'SELECT FROM stores s JOIN products p ON p.store_id = s.id WHERE s.id = $storeId'],
    [
      'by a chain of columns, in any order',
      'SELECT FROM products p JOIN media m ON m.store_id = p.store_id JOIN stores s ON s.id = p.store_id WHERE m.store_id = $storeId',
    ],
    [
      'an outer join',
      'SELECT FROM products p LEFT JOIN media m ON m.store_id = p.store_id AND m.product_id = p.id WHERE p.store_id = $storeId',
    ],
    [
      'the other outer join',
      'SELECT FROM media m RIGHT JOIN products p ON m.store_id = $storeId AND m.product_id = p.id WHERE p.store_id = $storeId',
    ],
    ['subqueries', 'SELECT FROM products p WHERE p.store_id = $storeId AND EXISTS (SELECT FROM media WHERE store_id = $storeId)'],
    [
      'by a column of a subquery',
      'SELECT FROM (SELECT p.* FROM products p WHERE p.store_id = $storeId) p JOIN media m ON m.store_id = p.store_id',
    ],
    [
      'by a column of a CTE',
      'WITH found(store, id) AS (SELECT store_id, id FROM products WHERE store_id = $storeId) SELECT FROM found f JOIN media m ON m.store_id = f.store',
    ],
    [
      'by a value of its own',
      'SELECT FROM (SELECT $storeId::uuid AS id UNION ALL SELECT $storeId) s JOIN media m ON m.store_id = s.id',
    ],
    [
      'a recursive CTE',
      `WITH RECURSIVE up AS (
         SELECT store_id, parent_id FROM categories WHERE store_id = $storeId AND id = $id
         UNION ALL SELECT c.store_id, c.parent_id FROM up u JOIN categories c ON c.store_id = u.store_id AND c.id = u.parent_id) SELECT FROM up`,
    ],
    [
      'an UPDATE',
      'UPDATE products p SET name = c.name FROM categories c WHERE p.store_id = $storeId AND c.store_id = p.store_id',
    ],
    ['a DELETE', 'DELETE FROM media m USING unnest($storeIds::uuid[]) AS t(id) WHERE m.store_id = $storeId AND m.id = t.id'],
    ['an INSERT', 'INSERT INTO media AS m (id, store_id) VALUES ($id, $storeId) ON CONFLICT (store_id, id) DO NOTHING'],
    ['an INSERT without a target of its conflict', 'INSERT INTO media (store_id) SELECT $storeId ON CONFLICT DO NOTHING'],
    [
      'an INSERT of what a CTE has written',
      'WITH gone AS (DELETE FROM media WHERE store_id = $storeId RETURNING store_id), again AS (INSERT INTO media (store_id) SELECT store_id FROM gone RETURNING *) INSERT INTO products (store_id) SELECT store_id FROM again',
    ],
    ['tables of no store', 'SELECT FROM epochs, pg_stat_activity'],
  ])('%s', async (_title, text) => {
    expect(await faultsOf(text)).toEqual([]);
  });
});
