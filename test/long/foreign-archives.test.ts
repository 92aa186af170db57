import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createLogger } from '../../src/adapters/node/logger.ts';
import { BACKED_UP, FOUND_BY_ID, LEFT_OUT, NAMES_A_ROW_OF } from '../../src/adapters/prisma/archive/tables.ts';
import { MAX_IMAGE_BYTES } from '../../src/domain/media/image.ts';
import { backup } from '../../src/adapters/wiring/archive/backup.ts';
import { importStore, restore } from '../../src/adapters/wiring/archive/restore.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { startServer } from '../../src/adapters/wiring/serve/server.ts';
import { columnsOf, tablesOf, valueOf } from '../support/filled-tables.ts';
import { forge, type Forgery } from '../support/forged-archive.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, SETTINGS, type StoreWithApp } from '../support/server.ts';
import { contentsOf } from '../support/tables.ts';
import { pay, subscribe, subscribeMerchant } from '../support/webhooks.ts';

/** Columns of ids that name no row, or a row of the same store by (store_id, id). */
const WITHIN_ITS_STORE = [
  ...['product_id', 'product_variant_id', 'component_product_id', 'product_bundle_component_id', 'product_option_id'],
  ...[
    'product_option_value_id',
    'category_id',
    'parent_id',
    'tax_class_id',
    'collection_id',
    'event_id',
    'gap_event_id',
    'media_id',
  ],
  ...['warehouse_id', 'asset_id', 'request_id', 'concurrency_stamp', 'revision', 'epoch', 'answers', 'incident_id'],
];

let folder: string;
let host: TestDatabase;
let config: Config;
let [victim, attacker]: [StoreWithApp, StoreWithApp] = [] as never;
let exported: string;
let files = 0;

const aFile = (): string => join(folder, `${String((files += 1))}.store`);
const settings = (database: TestDatabase) => ({ ...config, DATABASE_URL: database.url });

/** A store with rows in the tables that an attack would name. */
const fill = async (database: TestDatabase): Promise<StoreWithApp> => {
  const started = await startServer(config, database.url, createLogger('silent'));
  const server = { ...started, url: started.url ?? '' };
  try {
    const app = await aStoreWithApp(server, { scopes: ['write_products', 'write_webhooks', 'read_orders'], products: 2 });
    await subscribe(server, app, 'http://127.0.0.1:9/hook', 'product.updated');
    await subscribeMerchant(server, app.storeId, 'http://127.0.0.1:9/hook', 'order.paid');
    await bulk(server, app, 'a-key', [{ id: app.productIds[0], name: 'Changed' }]);
    await pay(server, app.storeId);
    // The worker, which this server is not, would have made them.
    const [subscription] = await database.query<{ id: string }>('SELECT id FROM subscriptions WHERE store_id = $1', [
      app.storeId,
    ]);
    await database.query(
      `INSERT INTO deliveries (id, store_id, event_id, subscription_id, status, created_at)
       SELECT gen_random_uuid(), store_id, id, $2, 'Delivered', now() FROM events WHERE store_id = $1 LIMIT 1`,
      [app.storeId, subscription?.id],
    );
    await database.query(`INSERT INTO media_imports (id, store_id, installation_id) VALUES (gen_random_uuid(), $1, $2)`, [
      app.storeId,
      app.installationId,
    ]);
    await database.query(
      `INSERT INTO redeliveries (id, store_id, filter, asked_at) VALUES (gen_random_uuid(), $1, '{}', now())`,
      [app.storeId],
    );
    await database.query(
      `INSERT INTO request_log (request_id, store_id, at, route, status, reason, "check", duration_ms)
       VALUES (gen_random_uuid(), $1, now(), 'GET /apps/identity', 403, 'reason', 'token', 1)`,
      [app.storeId],
    );
    return app;
  } finally {
    await server.stop();
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-foreign-'));
  const parsed = parseConfig({ ...SETTINGS, ROLE: 'api', LOG_LEVEL: 'silent', MEDIA_STORAGE: join(folder, 'media') });
  if (!parsed.ok) throw new Error(parsed.message);
  config = parsed.value as Config;
  const own = await openTestDatabase();
  host = await openTestDatabase();
  [victim, attacker] = [await fill(host), await fill(own)];
  exported = aFile();
  await backup(settings(own), { file: exported, store: attacker.storeId });
  await own.close();
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Imports a forged file, and returns the message. */
const imported = async (forgery: Forgery): Promise<string> => {
  const file = aFile();
  await forge(exported, file, forgery);
  const message = await importStore(settings(host), { file }).then(
    () => 'accepted',
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );
  expect(message).not.toContain('\n');
  return message;
};

/** Everything that an import could change. One that is refused may have drawn a few numbers. */
const everything = async () => ({
  rows: await contentsOf(host),
  left: await host.query(
    `SELECT (SELECT count(*) FROM access_tokens)::int AS tokens, (SELECT last_value < 1000 FROM pending_events_seq_seq) AS numbers`,
  ),
  files: await readdir(join(folder, 'media'), { recursive: true }).catch(() => []),
});

/** Returns the message of an import that changes nothing. */
const refusal = async (forgery: Forgery): Promise<string> => {
  const before = await everything();
  const message = await imported(forgery);
  expect(await everything()).toEqual(before);
  return message;
};

/** The columns that decide which store a row belongs to or names. */
const pointing = (table: string, columns: readonly string[]): string[] =>
  columns.filter((name) => name === 'store_id' || (table === 'stores' && name === 'id') || Object.hasOwn(NAMES_A_ROW_OF, name));

/** An id of each table, of one store. */
const idsOf = async (database: TestDatabase, storeId: string): Promise<Record<string, string>> => {
  const ids: Record<string, string> = { stores: storeId };
  for (const target of new Set(Object.values(NAMES_A_ROW_OF))) {
    const [row] = await database.query<{ id: string }>(`SELECT id FROM ${target} WHERE store_id = $1 LIMIT 1`, [storeId]);
    ids[target] = row?.id ?? '';
  }
  return ids;
};

/** The ids of rows that nobody has, so that only the store could be wrong. */
const nobody = (): Record<string, string> =>
  Object.fromEntries(['stores', ...Object.values(NAMES_A_ROW_OF)].map((target) => [target, randomUUID()]));

/** A line of COPY with a value in every column, which names the victim's rows in one column and the attacker's in the others. */
const lineOf = async (table: string, planted: string, ids: { own: Record<string, string>; other: Record<string, string> }) => {
  const columns = await columnsOf(host, table);
  const values = columns.map((column) => {
    const name = column.name.replaceAll('"', '');
    const target = name === 'store_id' || (table === 'stores' && name === 'id') ? 'stores' : NAMES_A_ROW_OF[name];
    if (target !== undefined) return `'${(name === planted ? ids.other : ids.own)[target] ?? ''}'`;
    return `(${column.isKey ? `'${randomUUID()}'` : valueOf({ ...column, nullable: false })})::${column.type}::text`;
  });
  const [row] = await host.query<Record<string, string>>(
    `SELECT ${values.map((value, index) => `${value} AS c${String(index)}`).join()} FROM generate_series(1, 1) AS n`,
  );
  return `${Object.values(row ?? {})
    .join('\t')
    .replaceAll('\\', '\\\\')}\n`;
};

const tableOf = async (name: string) => ({
  name,
  columns: (await columnsOf(host, name)).map((column) => column.name.replaceAll('"', '')),
});

describe('the columns of the schema', () => {
  it('that hold an id name a row of the whole server, or one of their own store', async () => {
    const rows = await host.query<{ name: string }>(
      `SELECT DISTINCT column_name::text AS name FROM information_schema.columns WHERE table_schema = 'public' AND udt_name = 'uuid'`,
    );
    // An operator_id says who asked for a change, and gives nobody access. An app_id names an app of the server, which has its own secret,
    // and a secret_id such a secret. The store of a domain and the sessions of operators are in no archive. The record of a file is itself.
    const known = [
      ...Object.keys(NAMES_A_ROW_OF),
      ...WITHIN_ITS_STORE,
      'id',
      'store_id',
      'store',
      'operator_id',
      'app_id',
      'sandbox_app_id',
      'secret_id',
      'record',
      'opened_by_token',
    ];
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });
});

describe('a planted row', () => {
  it('of any table of the schema is refused, with another store in any of its columns', async () => {
    const victims = await idsOf(host, victim.storeId);
    expect(Object.values(victims)).not.toContain('');
    const before = await everything();
    const accepted: string[] = [];
    let cases = 0;
    for (const table of await tablesOf(host)) {
      const { columns } = await tableOf(table);
      // The attacker's own rows are new, so that nothing but the planted column is wrong.
      const own = { ...nobody(), stores: attacker.storeId, installations: attacker.installationId };
      for (const column of pointing(table, columns)) {
        cases += 1;
        const line = await lineOf(table, column, { own, other: victims });
        const isListed = Object.hasOwn(BACKED_UP, table);
        const message = await imported({
          rows: { [table]: line },
          manifest: (manifest) => ({
            ...manifest,
            tables: isListed ? manifest.tables : [...manifest.tables, { name: table, columns }],
          }),
        });
        const why = /rows of \w+ that do not belong to its store|names a row of another store|never has the table/;
        if (!why.test(message)) accepted.push(`${table}.${column}: ${message}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(cases).toBeGreaterThan(50);
  });
  it('of a table without a store is refused', async () => {
    const unowned = [...Object.keys(BACKED_UP), ...Object.keys(LEFT_OUT)].filter((name) => !name.startsWith('_'));
    for (const table of unowned) {
      const { name, columns } = await tableOf(table);
      if (pointing(name, columns).length > 0) continue;
      const line = await lineOf(name, '', { own: {}, other: {} });
      const message = await refusal({
        rows: { [name]: line },
        manifest: (manifest) => ({
          ...manifest,
          tables: [...manifest.tables.filter((table) => table.name !== name), { name, columns }],
        }),
      });
      expect(message).toMatch(
        /has secrets of the key|never has the table|rows of (operators|platform_\w+) that do not belong to its store/,
      );
    }
  });
});

describe('a foreign file', () => {
  it('that brings an app of another store and a token for it is refused', async () => {
    const installation = randomUUID();
    const { name, columns } = await tableOf('access_tokens');
    const app = [installation, victim.storeId, 'Mine', 'client', '{read_products}', 'Installed'];
    const rows = {
      installations: `${[...app, '2026-01-01 00:00:00+00', ...Array.from({ length: 5 }, () => '\\N')].join('\t')}\n`,
      access_tokens: `\\\\x${createHash('sha256').update('chosen').digest('hex')}\t${installation}\t2026-01-01 00:00:00+00\t2099-01-01 00:00:00+00\n`,
    };
    const message = await refusal({
      rows,
      manifest: (manifest) => ({ ...manifest, tables: [...manifest.tables, { name, columns }] }),
    });
    expect(message).toBe('StartFailure: The export of a store never has the table access_tokens. Nothing was changed.');
    expect(await refusal({ rows: { installations: rows.installations } })).toBe(
      'StartFailure: The file has rows of installations that do not belong to its store. Nothing was changed.',
    );
  });
  it('that subscribes to the events of another store is refused', async () => {
    const line = [randomUUID(), victim.storeId, '\\N', 'https://evil.test/', '\\N', '{order.paid}', 't', '\\N'];
    const more = ['2026-01-01 00:00:00+00', '\\N', '0', ...Array.from({ length: 11 }, () => '\\N')];
    expect(await refusal({ rows: { subscriptions: `${[...line, ...more].join('\t')}\n` } })).toBe(
      'StartFailure: The file has rows of subscriptions that do not belong to its store. Nothing was changed.',
    );
  });
  it('that brings a row with the id of a row of another store is refused', async () => {
    const own = { ...nobody(), stores: attacker.storeId, installations: attacker.installationId };
    for (const [table, id] of Object.entries(FOUND_BY_ID)) {
      const [twin] = await host.query<{ id: string }>(`SELECT ${id} AS id FROM ${table} WHERE store_id = $1`, [victim.storeId]);
      const { columns } = await tableOf(table);
      const fields = (await lineOf(table, '', { own, other: {} })).trimEnd().split('\t');
      fields[columns.indexOf(id)] = twin?.id ?? expect.fail(`no row in ${table}`);
      expect(await refusal({ rows: { [table]: `${fields.join('\t')}\n` } })).toBe(
        `StartFailure: The file has rows of ${table} with ids that this database has already. Nothing was changed.`,
      );
    }
  });
  it('that would have the file of another store removed is refused', async () => {
    const key = `${victim.storeId}/${'0'.repeat(64)}.png`;
    const line = [attacker.storeId, key, 'image/png', '1', '1', '1', '2020-01-01 00:00:00+00', '\\N'];
    expect(await refusal({ rows: { media_files: `${line.join('\t')}\n` } })).toMatch(/rows of media_files that do not belong/);
  });
  it('that names no key is damaged, and one that hides a key is refused', async () => {
    expect(await refusal({ manifest: (manifest) => ({ ...manifest, keys: [] }) })).toMatch(/its manifest is not valid/);
    const sealed = ['v1', 'k9', 'AAAA', 'AAAA', 'AAAA'].join('.');
    const rows = {
      signing_secrets: `${[randomUUID(), attacker.installationId, sealed, '2026-01-01 00:00:00+00', '\\N', attacker.storeId].join('\t')}\n`,
    };
    expect(await refusal({ rows })).toMatch(/has secrets of the key k9, which SECRET_KEYS does not have/);
  });
  it('with an image that is too large, or of another store, is refused before it is on the disk', async () => {
    const large = { folder: attacker.storeId, bytes: Buffer.alloc(MAX_IMAGE_BYTES + 1) };
    expect(await refusal({ media: [large] })).toMatch(/has more than 20 MiB. Nothing was changed.$/);
    const other = { folder: victim.storeId, bytes: Buffer.from('an image') };
    expect(await refusal({ media: [other] })).toMatch(/does not belong to the store of the file. Nothing was changed.$/);
  });
  it('is imported if only its numbers are others, and uses up none that all stores share', async () => {
    const [file, last] = [aFile(), '9223372036854775807'];
    const waiting = [attacker.storeId, randomUUID(), last].join('\t');
    await forge(exported, file, {
      manifest: (manifest) => ({ ...manifest, sequences: manifest.sequences.map((sequence) => ({ ...sequence, last })) }),
      rows: { pending_events: `${waiting}\n` },
    });
    expect((await importStore(settings(host), { file })).store?.id).toBe(attacker.storeId);
    const [drawn] = await host.query<{ next: string; numbered: string }>(
      `SELECT nextval('pending_events_seq_seq') AS next, max(seq) AS numbered FROM pending_events WHERE store_id = $1`,
      [attacker.storeId],
    );
    expect(Number(drawn?.next)).toBe(Number(drawn?.numbered) + 1);
    expect(Number(drawn?.next)).toBeLessThan(1000);
  });
});

describe('a forged backup of all stores', () => {
  it('does not bring a token or a session', async () => {
    const [whole, forged, target] = [aFile(), aFile(), await openTestDatabase()];
    await backup(settings(host), { file: whole });
    const { name, columns } = await tableOf('access_tokens');
    await forge(whole, forged, {
      manifest: (manifest) => ({ ...manifest, tables: [...manifest.tables, { name, columns }] }),
    });
    await expect(restore(settings(target), { file: forged })).rejects.toThrow('A backup never has the table access_tokens');
    await target.close();
  });
});
