import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { freePort } from '../support/free-port.ts';
import { imageOf, site } from '../support/image-server.ts';
import { anImport, ended, importOf, postImport, type ImportBody } from '../support/media.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { redirect, respond, startReceiver, verified, type Answer, type Received, type Receiver } from '../support/receiver.ts';
import { openRedis, redisAvailable } from '../support/redis.ts';
import { aStoreWithApp, anApp, asAdmin, call, type StoreWithApp } from '../support/server.ts';
import { subscribe, subscribeMerchant, type EventBody } from '../support/webhooks.ts';

const SCOPES = ['write_products', 'write_webhooks'];
const TYPES = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', avif: 'avif' } as const;

/** The items as an event has them: none waits any more. */
const inEvent = ({ items }: ImportBody): object[] => items.map(({ retryAt: _, retryReason: __, ...item }) => item);

const image =
  (bytes: Buffer): Answer =>
  (response) =>
    response.end(bytes);

interface Detail {
  readonly updatedAt: string | null;
  readonly media: readonly Readonly<Record<string, unknown>>[];
  readonly variants: readonly { readonly id: string }[];
}

const open = async (redisUrl: string | undefined) => {
  const [database, source, receiver] = await Promise.all([openTestDatabase(), startReceiver(), startReceiver()]);
  const folder = await mkdtemp(join(tmpdir(), 'tenon-media-'));
  const port = await freePort();
  const env = {
    PORT: String(port),
    MEDIA_URL: `http://127.0.0.1:${port}/media`,
    MEDIA_STORAGE: join(folder, 'media'),
    DATA_DIR: folder,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
  const server = await startLocally({ databaseUrl: database.url, env });
  return { database, source, receiver, server, folder };
};

const backends: [string, () => Promise<{ readonly url?: string; stop(): Promise<void> }>][] = [
  ['PostgreSQL', () => Promise.resolve({ stop: () => Promise.resolve() })],
  ...(redisAvailable ? ([['Redis', openRedis]] as [string, typeof openRedis][]) : []),
];

describe.each(backends)('imports of media, their queue in %s', (_name, openQueue) => {
  let database: TestDatabase;
  let source: Receiver;
  let receiver: Receiver;
  let server: LocalServer;
  let folder: string;
  let queue: Awaited<ReturnType<typeof openQueue>>;
  let app: StoreWithApp;
  let answers: Map<string, Answer>;
  beforeAll(async () => {
    queue = await openQueue();
    ({ database, source, receiver, server, folder } = await open(queue.url));
  });
  afterAll(async () => {
    await server.end();
    await Promise.all([source.close(), receiver.close(), queue.stop()]);
    await database.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    app = await aStoreWithApp(server, { scopes: SCOPES, products: 2 });
    answers = new Map();
    source.answer(site(answers));
    receiver.answer(respond(204));
  });

  const get = async <T>(path: string, by = app): Promise<T> => {
    const answer = await call(`${server.url}${path}`, 'GET', by.headers);
    expect(answer.status, answer.body).toBe(200);
    return JSON.parse(answer.body) as T;
  };
  const detail = (productId: string | undefined): Promise<Detail> => get(`/apps/catalog/products/${productId ?? ''}`);
  const at = (path: string): string => `${source.url}${path}`;
  const fetched = (path: string): number => source.received.filter((request) => request.path === path).length;
  const [first, second] = [() => app.productIds[0] ?? '', () => app.productIds[1] ?? ''];
  const files = async (storeId: string): Promise<string[]> =>
    readdir(join(folder, 'media'), { recursive: true }).then((names) =>
      names.filter((name) => name.includes(storeId) && name.includes('.')),
    );
  const mediaRows = (storeId: string): Promise<object[]> => database.query('SELECT id FROM media WHERE store_id = $1', [storeId]);
  /** The events of one type that were sent to the subscription, verified. */
  const told = (subscriptionId: string, secret: string, type: string): EventBody[] =>
    receiver.received
      .filter((request: Received) => request.headers['webhook-subscription-id'] === subscriptionId)
      .map((request) => verified(request, secret) as EventBody)
      .filter((event) => event.type === type);
  const hanging = (path: string): Promise<void> =>
    new Promise((resolve) => {
      answers.set(path, () => resolve());
    });

  it('of every image type lead to the served picture, the detail, the list and the events; a replay imports nothing again', async () => {
    const subscription = await subscribe(server, app, `${receiver.url}/hook`, 'media.import_completed', 'product.updated');
    const pictures = new Map<string, Buffer>();
    for (const [format, extension] of Object.entries(TYPES)) {
      const path = `/${app.storeId}/${format}.txt`;
      const bytes = await imageOf(format as keyof typeof TYPES, 30, 20);
      pictures.set(extension, bytes);
      answers.set(path, image(bytes));
    }
    const { variants } = await detail(first());
    const paths = [...answers.keys()];
    const items = paths.map((path, n) => ({
      sourceUrl: at(path),
      productId: first(),
      ...(n === 1 && { productVariantId: variants[0]?.id, altText: 'A saw', position: '-1', aiGenerated: true }),
    }));
    const answer = await postImport(server, app, 'all', items);
    expect(answer.status, answer.body).toBe(202);
    const queued = JSON.parse(answer.body) as ImportBody;
    const pending = { status: 'Pending', mediaId: null, error: null, errorCode: null };
    expect(queued).toMatchObject({ status: 'Queued', items: paths.map((_, index) => ({ index, ...pending })) });

    const done = await ended(server, app, queued.importId);
    expect(done).toMatchObject({
      status: 'Completed',
      items: paths.map((_, index) => ({ index, status: 'Ready', error: null, errorCode: null })),
    });
    const product = await detail(first());
    expect(product.media.map(({ id }) => id)).toEqual(done.items.map(({ mediaId }) => mediaId));
    expect(product.media.map(({ position }) => position)).toEqual([0, -1, 1, 2, 3]);
    for (const [n, [extension, bytes]] of [...pictures].entries()) {
      const media = product.media[n] ?? {};
      const type = `image/${extension === 'jpg' ? 'jpeg' : extension}`;
      expect(media).toMatchObject({
        contentType: type,
        sizeBytes: bytes.length,
        productId: first(),
        isDeleted: false,
        assetId: null,
      });
      expect(media['storageKey']).toMatch(new RegExp(`^${app.storeId}/[0-9a-f]{64}\\.${extension}$`));
      const picture = await fetch(String(media['url']));
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, type]);
      expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true);
    }
    expect(product.media[1]).toMatchObject({ productVariantId: variants[0]?.id, altText: 'A saw', aiGenerated: true });
    expect(product.media[0]).toMatchObject({ productVariantId: null, altText: null, aiGenerated: false });
    const { items: listed } = await get<{ items: Record<string, unknown>[] }>('/apps/catalog/products');
    expect(listed[0]).toMatchObject({
      thumbnailUrl: product.media[1]?.['url'],
      thumbnailAlt: 'A saw',
      updatedAt: product.updatedAt,
    });

    const events = await vi.waitFor(
      () => {
        const completed = told(subscription, app.signingSecret, 'media.import_completed');
        const updated = told(subscription, app.signingSecret, 'product.updated');
        expect([completed.length, updated.length]).toEqual([1, items.length]);
        return { completed, updated };
      },
      { timeout: 60_000 },
    );
    expect(events.completed[0]).toMatchObject({
      storeId: app.storeId,
      data: { id: done.importId, status: 'Completed', items: inEvent(done) },
    });
    for (const event of events.updated) {
      expect(event.data).toMatchObject({ id: first(), changedFields: ['media'], origin: app.installationId });
    }

    const replay = await postImport(server, app, 'all', items);
    expect([replay.status, replay.body, replay.headers['idempotent-replay']]).toEqual([202, answer.body, 'true']);
    expect(await importOf(server, app, done.importId)).toEqual(done);
    expect(paths.map(fetched)).toEqual(paths.map(() => 1));
    expect([await mediaRows(app.storeId), await files(app.storeId)].map(({ length }) => length)).toEqual([5, 5]);
    expect(await database.query('SELECT 1 FROM media_imports WHERE store_id = $1', [app.storeId])).toHaveLength(1);
  }, 180_000);

  it('fail item by item (CompletedWithErrors, media.import_completed); nothing is fetched for a missing product or variant', async () => {
    const own = `/${app.storeId}`;
    const bytes = await imageOf('png');
    answers.set(`${own}/good`, image(bytes));
    answers.set(`${own}/html`, respond(200, '<html></html>', { 'content-type': 'image/png' }));
    answers.set(`${own}/private`, redirect(302, 'http://10.0.0.1/x'));
    answers.set(`${own}/away`, redirect(302, at(`${own}/good`)));
    const { variants } = await detail(second());
    const merchant = await subscribeMerchant(
      server,
      app.storeId,
      `${receiver.url}/merchant`,
      'media.import_completed',
      'media.import_failed',
    );
    const item = (path: string, more: object = {}) => ({ sourceUrl: at(`${own}/${path}`), productId: first(), ...more });
    const importId = await anImport(server, app, 'mixed', [
      item('good'),
      item('not-1', { productId: '019a0000-0000-7000-8000-00000000dead' }),
      item('not-2', { productVariantId: variants[0]?.id }),
      item('none'),
      item('html'),
      item('private'),
      item('away'),
      { sourceUrl: 'http://192.168.0.1/x.png', productId: first() },
    ]);
    const done = await ended(server, app, importId);
    expect(done.status).toBe('CompletedWithErrors');
    expect(done.items.map(({ status, errorCode }) => errorCode ?? status)).toEqual([
      ...['Ready', 'product_not_found', 'variant_not_found', 'fetch_failed'],
      ...['unsupported_type', 'address_not_allowed', 'Ready', 'address_not_allowed'],
    ]);
    for (const { status, error, mediaId } of done.items) {
      expect([error !== null, mediaId !== null]).toEqual(status === 'Failed' ? [true, false] : [false, true]);
    }
    expect([fetched(`${own}/not-1`), fetched(`${own}/not-2`)]).toEqual([0, 0]);
    // Equal bytes are two media and one file.
    expect([await mediaRows(app.storeId), await files(app.storeId)].map(({ length }) => length)).toEqual([2, 1]);
    await vi.waitFor(
      () => {
        expect(told(merchant.id, merchant.signingSecret, 'media.import_completed')).toMatchObject([
          { data: { id: importId, items: inEvent(done) } },
        ]);
      },
      { timeout: 60_000 },
    );

    const failed = await anImport(server, app, 'none', [item('none')]);
    expect(await ended(server, app, failed)).toMatchObject({ status: 'Failed', items: [{ errorCode: 'fetch_failed' }] });
    await vi.waitFor(
      () => {
        expect(told(merchant.id, merchant.signingSecret, 'media.import_failed')).toMatchObject([
          { data: { id: failed, status: 'Failed' } },
        ]);
      },
      { timeout: 60_000 },
    );
  }, 180_000);

  it('give product_not_found and no media if the product is deleted while its image is fetched', async () => {
    const path = `/${app.storeId}/slow`;
    const bytes = await imageOf('png');
    let finish = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answers.set(path, (response) => {
        finish = () => response.end(bytes);
        resolve();
      });
    });
    const importId = await anImport(server, app, 'gone', [{ sourceUrl: at(path), productId: first() }]);
    await asked;
    expect(await importOf(server, app, importId)).toMatchObject({ status: 'Running', items: [{ status: 'Downloading' }] });
    expect((await asAdmin(server, 'DELETE', `/admin/stores/${app.storeId}/products/${first()}`)).status).toBe(204);
    finish();
    expect(await ended(server, app, importId)).toMatchObject({ status: 'Failed', items: [{ errorCode: 'product_not_found' }] });
    expect(await mediaRows(app.storeId)).toEqual([]);
  }, 180_000);

  it('end when their app is uninstalled: running fetches are aborted before the answer, none starts after it, and other apps continue', async () => {
    const own = `/${app.storeId}`;
    const inFlight = [`${own}/a`, `${own}/b`];
    const asked = inFlight.map(hanging);
    const waiting = [`${own}/c`, `${own}/d`];
    for (const path of waiting) answers.set(path, respond(200, 'never asked for'));
    const other = await anApp(server, app, SCOPES);
    const merchant = await subscribeMerchant(server, app.storeId, `${receiver.url}/merchant`, 'media.import_failed');
    const itemsOf = (paths: readonly string[]) => paths.map((path) => ({ sourceUrl: at(path), productId: first() }));
    const importId = await anImport(server, app, 'u1', itemsOf([...inFlight, waiting[0] ?? '']));
    const next = await anImport(server, app, 'u2', itemsOf([waiting[1] ?? '']));
    await Promise.all(asked);
    const closed = source.quiet();
    expect((await asAdmin(server, 'POST', `/admin/apps/${app.installationId}/uninstall`)).status).toBe(204);
    const rows = await database.query<{ id: string; status: string; codes: string[] }>(
      `SELECT m.id, m.status, array_agg(t.error_code ORDER BY t.index) AS codes FROM media_imports m JOIN media_import_items t ON t.import_id = m.id
       WHERE m.installation_id = $1 GROUP BY m.store_id, m.id ORDER BY m.id`,
      [app.installationId],
    );
    expect(rows).toEqual([
      { id: importId, status: 'Failed', codes: ['uninstalled', 'uninstalled', 'uninstalled'] },
      { id: next, status: 'Failed', codes: ['uninstalled'] },
    ]);
    await closed;
    await vi.waitFor(
      () => {
        const ids = told(merchant.id, merchant.signingSecret, 'media.import_failed').map(({ data }) => data['id']);
        expect(ids.sort()).toEqual([importId, next].sort());
      },
      { timeout: 60_000 },
    );
    // By the time another's import is done the queue has long come by what was asked for before.
    const good = `${own}/good`;
    answers.set(good, image(await imageOf('gif')));
    const theirs = await anImport(server, other, 'theirs', itemsOf([good]));
    expect(await ended(server, other, theirs)).toMatchObject({ status: 'Completed' });
    expect(waiting.map(fetched)).toEqual([0, 0]);
    expect(inFlight.map(fetched)).toEqual([1, 1]);
  }, 180_000);

  it.each([
    [
      'a suspension',
      (to: string) => [`/admin/apps/${app.installationId}`, { status: to === 'held' ? 'Suspended' : 'Installed' }] as const,
    ],
    [
      'an inactive store',
      (to: string) => [`/admin/stores/${app.storeId}`, { status: to === 'held' ? 'Inactive' : 'Active' }] as const,
    ],
  ])(
    'wait during %s and continue afterwards',
    async (_title, change) => {
      const own = `/${app.storeId}`;
      const asked = hanging(`${own}/a`);
      const items = ['a', 'b'].map((name) => ({ sourceUrl: at(`${own}/${name}`), productId: first() }));
      answers.set(`${own}/b`, () => undefined);
      const importId = await anImport(server, app, 'held', items);
      await asked;
      const closed = source.quiet();
      const set = async (to: 'held' | 'free') => {
        const [path, body] = change(to);
        expect((await asAdmin(server, 'PATCH', path, body)).status).toBe(200);
      };
      await set('held');
      await closed;
      const before = source.received.length;
      const rows = () =>
        database.query<{ status: string }>('SELECT status FROM media_import_items WHERE import_id = $1', [importId]);
      expect(await rows()).toEqual([{ status: 'Pending' }, { status: 'Pending' }]);
      const good = image(await imageOf('webp'));
      for (const name of ['a', 'b']) answers.set(`${own}/${name}`, good);
      // Another store's import runs meanwhile, so the queue works; this one's is held.
      const other = await aStoreWithApp(server, { scopes: SCOPES, products: 1 });
      answers.set('/other', good);
      const theirs = await anImport(server, other, 'other', [{ sourceUrl: at('/other'), productId: other.productIds[0] }]);
      await ended(server, other, theirs);
      expect(source.received.length).toBe(before + 1);
      await set('free');
      await vi.waitFor(
        async () => {
          expect(await rows()).toEqual([{ status: 'Ready' }, { status: 'Ready' }]);
        },
        { timeout: 60_000 },
      );
      expect(await mediaRows(app.storeId)).toHaveLength(2);
    },
    60_000,
  );
});
