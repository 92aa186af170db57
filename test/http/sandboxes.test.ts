import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES, MAX_SANDBOXES } from '../../src/domain/identity/sandbox.ts';
import { openApp, type OpenApp, type Verb } from '../support/app.ts';
import { aPlatformApp, tokenOn, tokenRequest, type TestPlatformApp } from '../support/platform-apps.ts';

const BASE = 'sandbox.example.com';
const SCOPES = ['write_metaobjects', 'write_products'];

interface Sandbox {
  readonly name: string;
  readonly storeId: string;
  readonly domain: string;
}
type Client = Pick<TestPlatformApp, 'clientId' | 'clientSecret'>;

let app: OpenApp;
let platform: TestPlatformApp;
/** Sandbox of the platform app. */
let made: Sandbox;
beforeAll(async () => {
  app = await openApp({ SANDBOX_DOMAIN: BASE });
  platform = await aPlatformApp(app, { scopes: SCOPES, eventUrl: 'https://app.example.com/events' });
  made = await put();
});
afterAll(() => app.close());

/** Calls as the developer of the app, on a host that no store has. */
const ask = (verb: Verb, path = '', { clientId, clientSecret }: Client = platform) =>
  app.api(BASE, null)(verb, `/apps/sandboxes${path}`).auth(clientId, clientSecret);
const put = async (name = 'ci', of?: Client): Promise<Sandbox> => (await ask('put', `/${name}`, of).expect(200)).body as Sandbox;
const list = async (of?: Client) => (await ask('get', '', of).expect(200)).body as Sandbox[];
const storeOf = ({ storeId: id, domain }: Sandbox) => ({ id, domain });
const apiOf = async (sandbox: Sandbox) => app.api(sandbox.domain, await tokenOn(app, storeOf(sandbox), platform));
const entryAt = (handle: string) => `/custom-data/metaobjects/workshop/entries/${handle}`;
const ENTRY = { fields: { title: 'Dovetails', starts: '2027-01-05T08:00:00.000Z' } };

describe('a sandbox store', () => {
  it('has demo data, and the app with all scopes that it asks for, without consent', async () => {
    expect(made).toMatchObject({ name: 'ci', domain: `ci-${platform.id.slice(-12)}.${BASE}` });
    const api = await apiOf(made);
    expect((await api('get', '/apps/catalog/products').expect(200)).body).toMatchObject({ total: 60 });
    const { body: own } = await api('get', '/apps/installation').expect(200);
    expect(own).toMatchObject({ storeId: made.storeId, scopes: ['read_orders', ...SCOPES], pendingScopes: [] });
    expect(await list()).toEqual([made]);
  });

  it('is marked in the admin API and for the app, and the store of a merchant is not', async () => {
    const sandboxAppId = async (id: string) =>
      ((await app.admin('get', `/admin/stores/${id}`).expect(200)).body as { sandboxAppId: unknown }).sandboxAppId;
    const merchants = await app.aStore();
    expect([await sandboxAppId(made.storeId), await sandboxAppId(merchants.id)]).toEqual([platform.id, null]);
    const token = await app.token(await app.anApp(merchants, ['read_products']));
    const { body: theirs } = await app.api(merchants.domain, token)('get', '/apps/installation').expect(200);
    const { body: own } = await (await apiOf(made))('get', '/apps/installation').expect(200);
    expect([own, theirs]).toMatchObject([{ isSandbox: true }, { isSandbox: false }]);
    const { body } = await app.admin('get', `/admin/stores/${made.storeId}/events?order=newest`).expect(200);
    const event = (body as { items: { id: string; type: string }[] }).items.find(({ type }) => type === 'app.installed');
    const { body: told } = await app.admin('get', `/admin/stores/${made.storeId}/events/${event?.id ?? ''}`).expect(200);
    expect(told).toMatchObject({ data: { domain: made.domain, isSandbox: true } });
  });

  it('is limited in size: what is there may change, and new entries and images are refused', async () => {
    const api = await apiOf(made);
    await api('put', entryAt('one')).send(ENTRY).expect(200);
    await app.database.query(
      `INSERT INTO metaobject_entries (id, store_id, installation_id, type, handle, fields)
       SELECT gen_random_uuid(), store_id, installation_id, type, 'copy-' || n, fields FROM metaobject_entries, generate_series(2, $2) n
       WHERE store_id = $1`,
      [made.storeId, MAX_SANDBOX_ENTRIES],
    );
    const { body } = await api('put', entryAt('two')).send(ENTRY).expect(409);
    expect(body).toMatchObject({ detail: 'A sandbox store has at most 1,000 entries. Reset it, or delete some.' });
    await api('put', entryAt('one'))
      .send({ fields: { ...ENTRY.fields, seats: 3 } })
      .expect(200);
    await api('delete', entryAt('one')).expect(204);
    await api('put', entryAt('two')).send(ENTRY).expect(200);
    await app.database.query(
      `INSERT INTO media_files (store_id, key, content_type, size_bytes, width, height, touched_at)
       SELECT $1::uuid, $1::text || '/' || n, 'image/png', 1, 1, 1, now() FROM generate_series(1, $2) n`,
      [made.storeId, MAX_SANDBOX_IMAGES],
    );
    const items = [{ sourceUrl: 'https://images.example.com/a.png', productId: made.storeId }];
    const refused = await api('post', '/apps/media/imports').set('Idempotency-Key', 'an-image').send({ items }).expect(409);
    expect(refused.body).toMatchObject({ error: expect.stringContaining('at most 100 images') as string });
  });

  it('is reset by the same call: its domain stays, and its id, data and tokens go', async () => {
    const old = await apiOf(made);
    const next = await put();
    expect([next.domain, next.storeId === made.storeId]).toEqual([made.domain, false]);
    await old('get', '/apps/installation').expect(401);
    await (await apiOf(next))('get', entryAt('two')).expect(404);
    await app.admin('get', `/admin/stores/${made.storeId}`).expect(404);
    expect(await list()).toEqual([next]);
    made = next;
  });

  it('of another app is neither seen nor changed, and the number of each app is limited', async () => {
    const other = await aPlatformApp(app);
    expect(await list(other)).toEqual([]);
    await ask('delete', '/ci', other).expect(404);
    await tokenRequest(app, storeOf(made), other).expect(401);
    await app.database.query(
      `INSERT INTO stores (id, domain, name, currency, sandbox_app_id)
       SELECT gen_random_uuid(), 'ci-' || n || $1, 'ci-' || n, 'EUR', $2::uuid FROM generate_series(1, $3) n`,
      [`-${other.id.slice(-12)}.${BASE}`, other.id, MAX_SANDBOXES],
    );
    const { body } = await ask('put', '/ci', other).expect(409);
    expect(body).toMatchObject({ error: expect.stringMatching(/^An app has at most 5/) as string });
    await ask('delete', '/ci-1', other).expect(204);
    await ask('delete', '/ci-1', other).expect(404);
    expect((await put('ci', other)).domain).not.toBe(made.domain);
    expect((await list(other)).map(({ name }) => name).toSorted()).toEqual(['ci', 'ci-2', 'ci-3', 'ci-4', 'ci-5']);
    expect(await list()).toEqual([made]);
    await tokenRequest(app, storeOf(made), platform).expect(200);
  });
});

describe('the credentials of a developer', () => {
  it.each(['A', '-a', 'a-', 'a.b', 'a'.repeat(33), 'ä'])('name no sandbox store %j', async (name) => {
    for (const verb of ['put', 'delete'] as const) {
      const { body } = await ask(verb, `/${encodeURIComponent(name)}`).expect(400);
      expect(body).toMatchObject({ error: expect.stringMatching(/^The name of a sandbox store/) as string });
    }
  });

  it('are refused with an empty 401 when they are missing, wrong, of another kind, or of a suspended app', async () => {
    const unknown = await aPlatformApp(app);
    const ofOneStore = await app.anApp(await app.aStore());
    for (const client of [
      { ...platform, clientSecret: unknown.clientSecret },
      { clientId: 'x', clientSecret: 'y' },
      ofOneStore,
    ]) {
      const { text, headers } = await ask('put', '/ci', client).expect(401);
      const answered = [text, headers['www-authenticate'], headers['cache-control']];
      expect(answered).toEqual(['', 'Basic realm="token", charset="UTF-8"', 'no-store']);
    }
    const token = await tokenOn(app, storeOf(made), platform);
    for (const authorization of [`Bearer ${token}`, 'Basic !', ''])
      await app.api(BASE, null)('get', '/apps/sandboxes').set('Authorization', authorization).expect(401);
    await app.api(BASE, null)('get', '/apps/sandboxes').expect(401);
    await app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ status: 'Suspended' }).expect(200);
    await ask('get').expect(401);
    expect(app.log.join()).not.toContain(platform.clientSecret);
  });
});

it.each([BASE, `shop.${BASE}`, `ci-0123456789ab.${BASE}`])('nobody gives a store the domain %s', async (domain) => {
  const merchants = await app.aStore();
  const { body } = await app.admin('post', '/admin/stores').send({ domain }).expect(409);
  expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('is kept for sandbox stores') as string });
  await app.admin('patch', `/admin/stores/${merchants.id}`).send({ domain }).expect(409);
  // A change that keeps the domain of a sandbox store is allowed.
  await app.admin('patch', `/admin/stores/${made.storeId}`).send({ domain: made.domain, name: 'ci' }).expect(200);
});
