import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { imageOf, site } from '../support/image-server.ts';
import { ended, postImport, type ImportBody } from '../support/media.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Answer, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';

/** The step at which the process dies, and whether the item's media is committed by then. */
const STEPS = [
  ['after-create', false],
  ['after-begin', false],
  ['after-fetch', false],
  ['after-postpone', false],
  ['after-announce', false],
  ['after-put', false],
  ['after-keep', false],
  ['after-media', false],
  ['after-settle', false],
  ['after-commit', true],
  ['before-release', true],
] as const;

let database: TestDatabase;
let source: Receiver;
let folder: string;
let server: ServerProcess;
let app: StoreWithApp;

const image =
  (bytes: Buffer): Answer =>
  (response) =>
    response.end(bytes);

const startToDieAt = (step: string): Promise<ServerProcess> => {
  const env = { KILL_AT: step, MEDIA_STORAGE: join(folder, 'media'), DATA_DIR: folder };
  return startProcess({ databaseUrl: database.url, entry: 'test/support/failing-media-main.ts', env });
};

beforeAll(async () => {
  [database, source] = await Promise.all([openTestDatabase(), startReceiver()]);
  folder = await mkdtemp(join(tmpdir(), 'tenon-kills-'));
  server = await startToDieAt(STEPS[0][0]);
  app = await aStoreWithApp(server, { products: STEPS.length });
});
afterAll(async () => {
  await server.end();
  await source.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const mediaOf = (productId: string): Promise<{ id: string; key: string }[]> =>
  database.query('SELECT id, storage_key AS key FROM media WHERE product_id = $1 ORDER BY ordinal', [productId]);
const files = async (): Promise<string[]> => {
  const names = await readdir(join(folder, 'media'), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}\.\w+$/.test(name));
};

describe('after kill -9 at any step and a restart, the import ends with one media row and one file per item', () => {
  it.each(STEPS)(
    '%s',
    async (step, committed) => {
      const at = STEPS.findIndex(([name]) => name === step);
      const productId = app.productIds[at] ?? '';
      const filesBefore = await files();
      const answers = new Map<string, Answer>();
      for (const name of [`kill-${step}`, `other-${step}`]) {
        const bytes = await imageOf('png');
        answers.set(`/${name}`, image(bytes));
      }
      if (step === 'after-postpone') {
        const path = `/kill-${step}`;
        const then = answers.get(path);
        answers.set(path, (response) => {
          response.writeHead(503).end();
          if (then) answers.set(path, then);
        });
      }
      source.answer(site(answers));
      const items = [...answers.keys()].map((path) => ({ sourceUrl: `${source.url}${path}`, productId }));

      const asked = postImport(server, app, step, items).then(
        ({ status }) => status,
        () => null,
      );
      expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
      const status = await asked;
      if (step === 'after-create') expect(status).toBeNull();
      else expect(status).toBe(202);
      expect(await mediaOf(productId)).toHaveLength(committed ? 1 : 0);

      // The restarted process is the one that dies at the next step, in another import.
      server = await startToDieAt(STEPS[at + 1]?.[0] ?? 'never');
      const retry = await postImport(server, app, step, items);
      expect([retry.status, retry.headers['idempotent-replay']]).toEqual([202, 'true']);
      const { importId } = JSON.parse(retry.body) as ImportBody;
      const done = await ended(server, app, importId);
      expect(done).toMatchObject({ status: 'Completed', items: [{ status: 'Ready' }, { status: 'Ready' }] });
      const media = await mediaOf(productId);
      const order = done.items.map(({ mediaId }) => mediaId);
      // An item that is tried again may come last.
      if (step === 'after-postpone') expect(media.map(({ id }) => id).sort()).toEqual(order.sort());
      else expect(media.map(({ id }) => id)).toEqual(order);
      const added = (await files()).filter((name) => !filesBefore.includes(name));
      expect(added.sort()).toEqual(media.map(({ key }) => key).sort());
      const known = await database.query<{ key: string }>('SELECT key FROM media_files WHERE store_id = $1', [app.storeId]);
      expect(known.map(({ key }) => key).sort()).toEqual((await files()).sort());
      const events = await database.query<{ type: string; n: number }>(
        `SELECT type, count(*)::int AS n FROM events WHERE resource_id = ANY($1) AND type <> 'product.created' GROUP BY type ORDER BY type`,
        [[importId, productId]],
      );
      expect(events).toEqual([
        { type: 'media.import_completed', n: 1 },
        { type: 'product.updated', n: 2 },
      ]);
    },
    90_000,
  );
});
