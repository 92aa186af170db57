import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { mediaKey } from '../../src/domain/media/media-file.ts';
import { ERASURE_SETTLES_SECONDS } from '../../src/domain/identity/store.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { startReceiver } from '../support/receiver.ts';

let app: OpenApp;
let directory: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenon-erased-'));
  receiver = await startReceiver();
  app = await openApp({ MEDIA_STORAGE: directory, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await rm(directory, { recursive: true });
});

const erase = (store: TestStore, confirm = store.domain) =>
  app.admin('delete', `/admin/stores/${store.id}?confirm=${encodeURIComponent(confirm)}`);
/** Makes the erasure of the store a minute old, and waits until the worker has done all of it. */
const allErased = async (store: TestStore): Promise<void> => {
  await app.database.query('UPDATE store_erasures SET at = at - make_interval(secs => $2) WHERE store_id = $1', [
    store.id,
    ERASURE_SETTLES_SECONDS,
  ]);
  await expect.poll(async () => (await erase(store)).status).toBe(404);
};
const aFile = async (store: TestStore): Promise<string> => {
  const { mediaFiles, mediaStorage } = app.container.resolve(TOKENS.ports);
  const path = join(directory, randomUUID());
  await writeFile(path, store.id);
  const key = mediaKey({ storeId: store.id, sha256: createHash('sha256').update(store.id).digest('hex'), extension: 'png' });
  await mediaFiles.announce({ storeId: store.id, key, contentType: 'image/png', sizeBytes: 36, width: 1, height: 1 });
  await mediaStorage.put(key, path, 'image/png');
  return key;
};

it('a store is erased only with its domain, and nothing of it answers from then on', async () => {
  const store = await app.aStore();
  const own = await app.anApp(store);
  const token = await app.token(own);
  const key = await aFile(store);
  const media = () => app.api(store.domain, null)('get', `/media/${key}`);
  await app
    .admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`)
    .send({ url: receiver.url, eventTypes: ['order.paid'] })
    .expect(200);
  // The ping of the new subscription.
  await expect.poll(() => receiver.received.length).toBe(1);
  expect((await media()).status).toBe(200);

  expect((await app.admin('delete', `/admin/stores/${store.id}`)).status).toBe(400);
  const refused = await erase(store, 'other.example');
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { detail: 'The store does not have this domain. Nothing was erased.' },
  ]);
  expect((await app.api(store.domain, token)('get', '/apps/catalog/products')).status).toBe(200);

  const accepted = await erase(store);
  expect([accepted.status, accepted.body]).toMatchObject([202, { storeId: store.id, domain: store.domain }]);
  expect((await app.api(store.domain, token)('get', '/apps/catalog/products')).status).toBe(401);
  const form = { grant_type: 'client_credentials', client_id: own.clientId, client_secret: own.clientSecret };
  expect((await app.api(store.domain, null)('post', '/apps/token').type('form').send(form)).status).toBe(401);
  await expect.poll(async () => (await media()).status).toBe(404);
  const gone = await Promise.all([
    app.admin('get', `/admin/stores/${store.id}`),
    app.admin('patch', `/admin/stores/${store.id}`).send({ status: 'Active' }),
    app.admin('get', `/admin/stores/${store.id}/deliveries`),
    app.admin('post', `/admin/stores/${store.id}/events`).send({ type: 'order.paid', data: {} }),
    app.admin('post', `/admin/stores/${store.id}/apps`).send({ name: 'App', scopes: [] }),
    app.admin('post', `/admin/stores/${store.id}/products/import`).type('application/x-ndjson').send('{"name":"A","slug":"a"}\n'),
  ]);
  expect(gone.map(({ status, body }) => [status, (body as { detail: string }).detail])).toEqual(
    gone.map(() => [404, 'Store not found.']),
  );
  const listed = (await app.admin('get', '/admin/stores?take=250')).body as { items: { id: string }[] };
  expect(listed.items.map(({ id }) => id)).not.toContain(store.id);

  const next = await app.aStore(store.domain);
  expect((await erase(store)).status).toBe(202);
  await allErased(store);
  expect((await app.admin('get', `/admin/stores/${next.id}`)).status).toBe(200);
  expect(await app.container.resolve(TOKENS.ports).mediaStorage.size(key)).toBeNull();
  expect(await app.database.query('SELECT FROM stores WHERE id = $1', [store.id])).toEqual([]);
  expect(receiver.received).toHaveLength(1);
});

it('an import that runs saves nothing more of a store that is erased', async () => {
  const store = await app.aStore();
  const application = app.container.resolve(TOKENS.application);
  async function* items() {
    for (let line = 1; line <= 2_000; line += 1) {
      yield { line, document: { name: `Product ${String(line)}`, slug: `product-${String(line)}` } };
      if (line === 1_500) expect((await erase(store)).status).toBe(202);
    }
  }
  const report = await application.importProducts(null, store.id, items() as never);
  expect(report.created).toBeGreaterThan(0);
  expect(report.failed).toBeGreaterThan(0);
  expect(new Set(report.errors.map(({ message }) => message))).toEqual(new Set(['Store not found.']));
  await allErased(store);
  expect(await app.database.query('SELECT FROM products WHERE store_id = $1', [store.id])).toEqual([]);
});

it('tenon store delete wants the domain again', async () => {
  const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN };
  const store = await app.aStore();
  const remove = (args: string[], more = {}) => runCommand(['store', 'delete', store.domain, ...args], { env, ...more });
  const scripted = await remove([]);
  expect([scripted.status, scripted.err]).toEqual([2, expect.stringContaining('Add --confirm with the domain of the store')]);
  const mistyped = await remove([], { terminal: true, stdin: 'other.example\n' });
  expect([mistyped.status, mistyped.err]).toEqual([expect.any(Number), expect.stringContaining('Nothing was erased.')]);
  expect((await app.admin('get', `/admin/stores/${store.id}`)).status).toBe(200);

  const typed = await remove(['--json'], { terminal: true, stdin: `${store.domain}\n` });
  expect(JSON.parse(typed.out)).toMatchObject({ storeId: store.id, domain: store.domain });
  expect((await app.admin('get', `/admin/stores/${store.id}`)).status).toBe(404);
  const again = await runCommand(['store', 'delete', store.id, '--confirm', store.domain, '--json'], { env });
  expect(JSON.parse(again.out)).toMatchObject({ storeId: store.id });
});
