import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { AnyStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { freshStatements } from '../architecture/named-statements.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const STORE = '11111111-1111-4111-8111-111111111111';
const ID = '22222222-2222-4222-8222-222222222222';

/** A value of each type. It belongs to no row. */
const VALUES: Readonly<Record<string, (name: string) => unknown>> = {
  uuid: (name) => (name.startsWith('store') ? STORE : ID),
  text: (name) => (name === 'places' ? '(0,1)' : 'x'),
  varchar: () => 'x',
  bytea: () => Buffer.from('ab', 'hex'),
  json: () => '[]',
  jsonb: () => '[]',
  bool: () => true,
  timestamptz: () => '2026-11-01T00:00:00Z',
  float8: () => 1,
  int2: () => 1,
  int4: () => 1,
  int8: () => 1,
};

const valueOf = ([name, type]: readonly [string, string]): unknown => {
  const value = VALUES[type.replaceAll(/[?[\]]/g, '')]?.(name);
  return type.includes('[]') ? [value] : value;
};

/** Rows that the statements of the values above find: one on an empty table is pruned, and shows less. */
const ROWS = [
  `INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'x', 'x', 'EUR')`,
  `INSERT INTO platform_apps (id, name, client_id, redirect_urls, scopes, optional_scopes, event_url) VALUES ('${ID}', 'x', 'x', '{x}', '{x}', '{}', 'http://x')`,
  `INSERT INTO installations (id, store_id, name, client_id, scopes, app_id) VALUES ('${ID}', '${STORE}', 'x', 'x', '{x}', '${ID}')`,
  `INSERT INTO categories (store_id, id, name) VALUES ('${STORE}', '${ID}', 'x')`,
  `INSERT INTO products (store_id, id, name, slug, kind, status, position, purchase_count, rating_average, rating_count, refundable, content_blocks, translations, created_at, total_inventory, variant_count)
   VALUES ('${STORE}', '${ID}', 'x', 'x', 'Physical', 'Draft', 0, 0, 0, 0, true, '[]', '{}', now(), 0, 0)`,
  `INSERT INTO variants (store_id, id, product_id, ordinal, sku, currency, weight_grams, has_dimensions, price, is_on_sale, created_at)
   VALUES ('${STORE}', '${ID}', '${ID}', 0, 'x', 'EUR', 0, false, 1, false, now())`,
  `INSERT INTO slug_history (store_id, slug, product_id) VALUES ('${STORE}', 'y', '${ID}')`,
  `INSERT INTO collections (store_id, id, title) VALUES ('${STORE}', '${ID}', 'x')`,
  `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint) VALUES ('${STORE}', '${ID}', 'x', decode(repeat('ab', 32), 'hex'))`,
  `INSERT INTO events (id, store_id, type, body, created_at) VALUES ('${ID}', '${STORE}', 'product.updated', '{}', now())`,
  `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types, signing_secret, created_at) VALUES ('${STORE}', '${STORE}', '${ID}', 'http://x', '{product.updated}', 'x', now())`,
  `INSERT INTO deliveries (id, store_id, event_id, subscription_id, next_attempt_at, created_at) VALUES ('${ID}', '${STORE}', '${ID}', '${STORE}', now(), now())`,
];

/** A row that refers to nothing, a value that means nothing, and a savepoint that was not set. The statement was planned and sent. */
const HAS_RUN = /^(?:22|23|3B)|^42P01$/;

interface Sent {
  readonly refusal: string | null;
  /** Commands from the coordinator to the nodes: `port: command`. */
  readonly commands: readonly string[];
}

let database: TestDatabase;
let client: pg.Client;
/** A notice of the server beside its answers. */
interface Notice {
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
}
let notices: Notice[] = [];
interface Tried {
  readonly name: string;
  readonly statement: AnyStatement;
  readonly sent: Sent;
}
const all: Tried[] = [];
/** Without the values that may be absent. */
const absent: Tried[] = [];

const commandOf = ({ message = '', detail = '' }: Notice): string[] => {
  const [, command] = /^issuing (.*)/s.exec(message) ?? [];
  const [, port] = /server \S+?:(\d+)/.exec(detail) ?? [];
  return command === undefined || /^(?:BEGIN TRANSACTION|ROLLBACK|SAVEPOINT|SET LOCAL)/.test(command)
    ? []
    : [`${port ?? ''}: ${command}`];
};

const send = async ({ text, parameters }: AnyStatement, isAbsent = false): Promise<Sent> => {
  notices = [];
  let refusal: string | null = null;
  await client.query('BEGIN');
  try {
    await client.query({
      text,
      values: Object.entries(parameters).map((each) => (isAbsent && each[1].endsWith('?') ? null : valueOf(each))),
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (!HAS_RUN.test(error.code ?? '')) refusal = `${error.message} ${error.detail ?? ''}`.trim();
  }
  const commands = notices.flatMap(commandOf);
  // A lock of the session survives the transaction, and a later statement ends who has it.
  await client.query('ROLLBACK; SELECT pg_advisory_unlock_all()');
  return { refusal, commands };
};

/** Why it is not one command for one node; null where it is. */
const detourOf = ({ commands }: Sent): string | null => {
  const nodes = new Set(commands.map((command) => command.split(':')[0])).size;
  if (commands.length > 1) return `${String(commands.length)} commands to ${String(nodes)} nodes`;
  return commands.some((command) => command.includes(': COPY ')) ? 'rows travel by way of the coordinator' : null;
};

beforeAll(async () => {
  database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  client.on('notice', (notice) => notices.push(notice));
  for (const row of ROWS) await client.query(row);
  await client.query('SET citus.log_remote_commands = on; SET client_min_messages = notice');
  for (const { file, name: constant, statement } of await freshStatements()) {
    const name = `${file} ${constant}`;
    all.push({ name, statement, sent: await send(statement) });
    // Citus plans a statement for its values. A table that is compared with null loses its store.
    const mayBeAbsent = Object.values(statement.parameters).some((type) => type.endsWith('?'));
    if (mayBeAbsent) absent.push({ name, statement, sent: await send(statement, true) });
  }
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** Statements that Citus refuses with some values, and what it keeps from working. */
const REFUSED: Readonly<Record<string, string>> = {
  'idempotency/key-log.ts GET': 'nothing: every caller has an app',
  'webhooks/attempts/settle.ts SETTLE': 'nothing: SETTLE_STORE and its companions do it on a Citus cluster',
  'webhooks/attempts/operational-events.ts ENDING': 'nothing: ENDING_OF_STORE does it on a Citus cluster',
  'webhooks/attempts/operational-events.ts STATES': 'nothing: STATES_OF_STORE does it on a Citus cluster',
};

it('Citus takes every statement but those that are listed', () => {
  const refused = [...all, ...absent].filter(({ sent }) => sent.refusal !== null);
  const unlisted = refused.filter(({ name }) => !(name in REFUSED));
  expect(unlisted.map(({ name, sent }) => `${name}: ${String(sent.refusal)}`)).toEqual([]);
  expect([...new Set(refused.map(({ name }) => name))].sort()).toEqual(Object.keys(REFUSED).sort());
  expect(all.length).toBeGreaterThan(500);
});

/** Statements that name their store and send more than one command to its node, or reach others, and why. */
const SEVERAL: Readonly<Record<string, string>> = {
  'identity/admission.ts AUTHENTICATE_SESSION': 'a session of a developer is on the coordinator',
  'identity/admission.ts AUTHENTICATE_SESSION_WITH_KEY': 'a session of a developer is on the coordinator',
  'identity/claim-domain.ts CLAIM': 'each node has a copy of the table',
  'identity/claim-domain.ts RELEASE': 'each node has a copy of the table',
  'identity/sealed-secrets.ts PLATFORM_SIGNING_SECRETS.replace': 'each node has a copy of the table',
  'identity/sealed-secrets.ts SIGNING_SECRETS.page': 'a rotation of SECRET_KEYS continues behind the store that it has reached',
  'identity/sealed-secrets.ts SUBSCRIPTIONS.page': 'a rotation of SECRET_KEYS continues behind the store that it has reached',
  'webhooks/queue/repairs.ts FIND_UNPLACED': 'it continues behind the store that it has reached',
  'webhooks/queue/repairs.ts FIND_UNQUEUED': 'it continues behind the store that it has reached',
};

it('a statement that names its store is one command for one node, and its rows stay there', () => {
  const detours = all.flatMap(({ name, statement, sent }) => {
    const detour = 'storeId' in statement.parameters ? detourOf(sent) : null;
    return detour === null || name in SEVERAL ? [] : [`${name}: ${detour}`];
  });
  expect(detours).toEqual([]);
  const direct = all.filter(({ name, sent }) => name in SEVERAL && detourOf(sent) === null);
  expect(direct.map(({ name }) => name)).toEqual([]);
});

const COPIED = `INSERT INTO feed_epochs (store_id, epoch, began) SELECT '${STORE}', gen_random_uuid(), n FROM generate_series(1, 2) n`;

it.each([
  [
    'refuses a lock over all stores',
    'SELECT id FROM products FOR UPDATE',
    'could not run distributed query with FOR UPDATE/SHARE commands',
    null,
  ],
  ['finds a statement for all nodes', 'SELECT id FROM products', null, '8 commands to 2 nodes'],
  ['finds rows that travel', COPIED, null, 'rows travel by way of the coordinator'],
  ['finds nothing in a statement for one store', `SELECT id FROM products WHERE store_id = '${STORE}'`, null, null],
])('%s', async (_title, text, refusal, detour) => {
  const sent = await send({ name: 'planted', text, parameters: {}, columns: {} });
  expect(sent.refusal ?? '').toContain(refusal ?? '');
  expect(sent.refusal === null).toBe(refusal === null);
  expect(detourOf(sent)).toBe(detour);
});
