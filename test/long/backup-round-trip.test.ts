import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openArchive } from '../../src/adapters/archive/read-archive.ts';
import { openMediaStorage } from '../../src/adapters/outgoing/media/media-storage.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { startOtherPostgres, type OtherPostgres } from '../support/other-postgres.ts';
import { anySql, createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, bulk, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { contentsOf } from '../support/tables.ts';
import { runTenonCommand } from '../support/tenon-command.ts';
import { allEnded, payMany, subscribe, subscribeMerchant } from '../support/webhooks.ts';

// BACKUP_ROUND_TRIP=full: the sizes that docs/operations.md gives figures of.
const SIZES =
  process.env['BACKUP_ROUND_TRIP'] === 'full'
    ? { products: 100_000, keys: 10_000, each: 10, media: 1_000, queued: 1_000 }
    : { products: 2_000, keys: 200, each: 10, media: 20, queued: 50 };
const MOST_BYTES = 200 * 1_048_576;
const WRITERS = 8;
const OTHER = '/usr/lib/postgresql/15/bin';
const SCOPES = ['write_products', 'write_webhooks', 'read_orders'];

let folder: string;
let file: string;
let source: TestDatabase;
let receiver: Receiver;
let server: ServerProcess;
let app: StoreWithApp;
let isFailing = true;
const measured: Record<string, unknown> = { ...SIZES };

/** The lines of each table, in any order: a sum of their hashes. */
const linesOf = async (path: string): Promise<Record<string, { rows: number; sum: string }>> => {
  const archive = await openArchive(path);
  const tables: Record<string, { rows: number; sum: bigint; rest: Buffer }> = {};
  let media = 0;
  for await (const entry of archive.entries()) {
    if (entry.kind === 'media') {
      for await (const bytes of entry.bytes) expect(bytes.length).toBeGreaterThan(0);
      media += 1;
      continue;
    }
    const table = (tables[entry.table] ??= { rows: 0, sum: 0n, rest: Buffer.alloc(0) });
    let bytes = Buffer.concat([table.rest, entry.bytes]);
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10)) {
      table.sum += createHash('sha1').update(bytes.subarray(0, at)).digest().readBigUInt64BE();
      table.rows += 1;
      bytes = bytes.subarray(at + 1);
    }
    table.rest = bytes;
  }
  await archive.close();
  const sums = Object.entries(tables).map(([name, { rows, sum }]) => [name, { rows, sum: String(sum) }] as const);
  return { 'media files': { rows: media, sum: 'files' }, ...Object.fromEntries(sums) };
};

const run = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const begun = performance.now();
  const { status, said, peakBytes } = await runTenonCommand(args, env).ended;
  expect(status, said).toBe(0);
  return { seconds: (performance.now() - begun) / 1000, peakBytes, said };
};

const envOf = (database: { url: string }, media: string) => ({ DATABASE_URL: database.url, MEDIA_STORAGE: join(folder, media) });

let keys = 0;
const name = (k: number): string => `Name ${String(k)} of a product that has a name of the usual length`;

/** Bulk updates by several writers, each under a key of its own. Gives the keys with the bytes of their answers. */
const update = async (goOn: () => boolean): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  const writer = async (): Promise<void> => {
    while (goOn()) {
      const k = (keys += 1);
      const ids = Array.from({ length: SIZES.each }, (_, n) => app.productIds[(k * SIZES.each + n) % SIZES.products]);
      const answer = await bulk(
        server,
        app,
        `key-${String(k)}`,
        ids.map((id) => ({ id, name: name(k) })),
      );
      expect(answer.status, answer.body).toBe(200);
      answers.set(`key-${String(k)}`, answer.body);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return answers;
};

/** Media that an import would have made: the file, its row, and the row of the product. */
const addMedia = async (): Promise<void> => {
  const storage = await openMediaStorage({ directory: join(folder, 'media') }, '');
  for (let k = 0; k < SIZES.media; k += 1) {
    const bytes = randomBytes(20_000);
    const key = `${app.storeId}/${createHash('sha256').update(bytes).digest('hex')}.png`;
    const path = join(folder, 'draft');
    await writeFile(path, bytes);
    await storage.put(key, path, 'image/png');
    await source.query(`INSERT INTO media_files VALUES ($1, $2, 'image/png', 20000, 1, 1, now())`, [app.storeId, key]);
  }
  await storage.close();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-round-trip-'));
  file = join(folder, 'whole.backup');
  [source, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  receiver.answer((response, { path }) => response.writeHead(path === '/failing' && isFailing ? 503 : 204).end());
  const retries = Array.from({ length: 200 }, () => 2).join();
  server = await startProcess({
    databaseUrl: source.url,
    env: { MEDIA_STORAGE: join(folder, 'media'), WEBHOOK_RETRY_SECONDS: `0,${retries}` },
  });
  app = await aStoreWithApp(server, { scopes: SCOPES, products: SIZES.products });
  await subscribe(server, app, receiver.url, 'product.updated');
  await addMedia();
}, 1_800_000);
afterAll(async () => {
  await server.end();
  await receiver.close();
  await source.close();
  await rm(folder, { recursive: true });
});

/** A token of the app at a server that has no token of it. */
const tokenAt = async (at: ServerProcess): Promise<StoreWithApp> => {
  const answer = await asAdmin(at, 'POST', `/admin/apps/${app.installationId}/tokens`, {});
  const { accessToken } = JSON.parse(answer.body) as { accessToken: string };
  return { ...app, headers: { ...app.headers, authorization: `Bearer ${accessToken}` } };
};

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string;
  readonly more: boolean;
}

/** Reads the feed from the cursor; to its end, or some pages of it. */
const follow = async (at: ServerProcess, as: StoreWithApp, after: string | null, pages = Infinity) => {
  const ids: string[] = [];
  let cursor = after;
  for (let read = 0; read < pages; read += 1) {
    const query = new URLSearchParams({ take: '250', ...(cursor !== null && { after: cursor }) });
    const answer = await call(`${at.url}/apps/events?${query.toString()}`, 'GET', as.headers);
    expect(answer.status, answer.body).toBe(200);
    const page = JSON.parse(answer.body) as Page;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
    if (!page.more) break;
  }
  return { ids, cursor };
};

describe('a backup during a load of bulk updates, restored elsewhere', () => {
  let acknowledged: Map<string, string>;
  let seen: Awaited<ReturnType<typeof follow>>;
  let queuedFor: string;

  beforeAll(async () => {
    acknowledged = await update(() => keys < SIZES.keys);
    await allEnded(source, 1_200_000);
    // Deliveries fail until the restored server sends them.
    queuedFor = (await subscribeMerchant(server, app.storeId, `${receiver.url}/failing`, 'order.paid')).id;
    await payMany(server, app.storeId, SIZES.queued);
    seen = await follow(server, app, null, 2);

    let isBackingUp = true;
    const load = update(() => isBackingUp);
    const before = keys;
    const { seconds, peakBytes, said } = await run(['backup', '--media', file], envOf(source, 'media'));
    isBackingUp = false;
    await load;
    const { size } = await stat(file);
    measured['backup'] = { seconds, peakMB: peakBytes / 1_048_576, fileMB: size / 1e6, updatesMeanwhile: keys - before, said };
    expect(keys).toBeGreaterThan(before);
    expect(peakBytes).toBeLessThan(MOST_BYTES);
    await server.end();
  }, 1_800_000);

  it('has every row of the snapshot, works on as before, and loses nothing that was queued', async () => {
    const target = await createEmptyDatabase();
    const opened = openDatabase({ url: target.url });
    const restored = anySql(opened);
    try {
      const { seconds, peakBytes, said } = await run(['restore', file], envOf(target, 'media-2'));
      measured['restore'] = { seconds, peakMB: peakBytes / 1_048_576, said };
      expect(peakBytes).toBeLessThan(MOST_BYTES);

      const again = join(folder, 'again.backup');
      await run(['backup', '--media', again], envOf(target, 'media-2'));
      const [one, other] = [await linesOf(file), await linesOf(again)];
      expect(other).toEqual(one);
      measured['rows'] = Object.values(one).reduce((sum, { rows }) => sum + rows, 0);
      expect(one['products']?.rows).toBe(SIZES.products);
      expect(one['deliveries']?.rows).toBeGreaterThanOrEqual(SIZES.keys * SIZES.each);
      expect(one['idempotency_records']?.rows).toBeGreaterThanOrEqual(acknowledged.size);
      expect(one['media_files']?.rows).toBe(SIZES.media);
      expect(one['media files']?.rows).toBe(SIZES.media);
      const [size] = await restored.query<{ bytes: number }>(
        `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      measured['databaseMB'] = (size?.bytes ?? 0) / 1e6;

      const queued = await restored.query<{ id: string }>(
        `SELECT event_id::text AS id FROM deliveries WHERE subscription_id = $1 AND status = 'Pending'`,
        [queuedFor],
      );
      expect(queued.length).toBeGreaterThanOrEqual(SIZES.queued);
      const arrived = receiver.received.length;
      isFailing = false;
      const elsewhere = await startProcess({ databaseUrl: target.url, env: { MEDIA_STORAGE: join(folder, 'media-2') } });
      try {
        const same = await tokenAt(elsewhere);
        // After ten failures in a row the next attempt is minutes away.
        const tried = await asAdmin(elsewhere, 'POST', `/admin/stores/${app.storeId}/webhooks/subscriptions/${queuedFor}/try`);
        expect(tried.status, tried.body).toBeLessThan(300);
        await allEnded(restored, 600_000);
        const delivered = new Set(receiver.received.slice(arrived).map(({ headers }) => headers['webhook-id']));
        expect(queued.filter(({ id }) => !delivered.has(id))).toEqual([]);

        for (const [key, body] of [...acknowledged].filter((_, k) => k % 20 === 0)) {
          const number = Number(key.slice(4));
          const ids = Array.from({ length: SIZES.each }, (_, n) => app.productIds[(number * SIZES.each + n) % SIZES.products]);
          const answer = await bulk(
            elsewhere,
            same,
            key,
            ids.map((id) => ({ id, name: name(number) })),
          );
          expect(answer.headers['idempotent-replay']).toBe('true');
          expect(answer.body).toBe(body);
        }

        const rest = await follow(elsewhere, same, seen.cursor);
        const places = await restored.query<{ id: string }>(
          `SELECT f.event_id::text AS id FROM feed f JOIN events e ON e.store_id = f.store_id AND e.id = f.event_id
           WHERE f.store_id = $1 AND e.type IN ('product.updated', 'order.paid') ORDER BY f.position`,
          [app.storeId],
        );
        const read = [...seen.ids, ...rest.ids];
        // Each once, in the order of the feed, without a gap.
        expect(read).toEqual(places.map(({ id }) => id));

        const verdict = await asAdmin(elsewhere, 'GET', '/admin/verify');
        expect(JSON.parse(verdict.body)).toMatchObject({ ok: true });
      } finally {
        await elsewhere.end();
      }
    } finally {
      await opened.close();
      await target.drop();
      process.stderr.write(`${JSON.stringify(measured, null, 1)}\n`);
    }
  }, 1_800_000);

  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  it('goes from PostgreSQL 18 to 15 and back', async (context) => {
    if (!(await isThere(join(OTHER, 'postgres')))) return context.skip('PostgreSQL 15 is not installed here');
    const other: OtherPostgres = await startOtherPostgres(OTHER, join(folder, 'postgres-15'));
    const back = await createEmptyDatabase();
    try {
      await run(['restore', file], envOf(other, 'media-3'));
      const from15 = join(folder, 'from-15.backup');
      await run(['backup', '--media', from15], envOf(other, 'media-3'));
      await run(['restore', from15], envOf(back, 'media-4'));
      const last = openDatabase({ url: back.url });
      const rows = await contentsOf(anySql(last));
      await last.close();
      const [one, through] = [await linesOf(file), await linesOf(from15)];
      expect(through).toEqual(one);
      expect(rows['products']?.rows).toBe(SIZES.products);
    } finally {
      await other.end('SIGINT');
      await back.drop();
    }
  }, 1_800_000);
});
