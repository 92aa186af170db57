import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { appRoutes, portalRoutes } from '../../src/adapters/http/routes.ts';
import { sandboxRoutes } from '../../src/adapters/http/identity/sandboxes.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { ALL_APP_SCOPES, openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { aPlatformApp, installOn, type TestPlatformApp } from '../support/platform-apps.ts';

const COLLECTION = '019a0000-0000-7000-8000-00000000c011';
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const MARK = 'only-the-first-may-see-this';

interface World {
  readonly store: TestStore;
  readonly app: TestApp;
  readonly token: string;
  /** The cookie of a session of the app's console. */
  readonly cookie: string;
  readonly product: string;
  readonly variant: string;
  readonly subscription: string;
  readonly mediaImport: string;
  readonly event: string;
  readonly delivery: string;
  /** A refused request, an idempotency key and a redelivery by filter of the app. */
  readonly request: string;
  readonly key: string;
  readonly redelivery: string;
}

/** Tables of a store and its apps; tokens, keys and the schema's own tables aside. */
const TABLES = ['stores', 'installations', 'categories', 'products', 'slug_history', 'variants', 'inventory', 'collections'];
const MORE = [
  'collection_products',
  'metaobject_definitions',
  'metaobject_entries',
  'subscriptions',
  'events',
  'feed',
  'deliveries',
  'media_imports',
];

/** How a request shows which app it is. */
const WAYS = ['token', 'console session'] as const;
type Way = (typeof WAYS)[number];
/** The session of the developer of a platform app, over all of its installations. */
type Developing = 'developer';
const NO_STORE = 'developers.example';
const ofApps = (routes: readonly Route[]): Route[] => routes.filter(({ access }) => access.kind !== 'developer');
const ofDevelopers = (routes: readonly Route[]): Route[] => routes.filter(({ access }) => access.kind === 'developer');

/** With the credentials of an app for each store, and with those of one app that both stores have installed. */
const KINDS = ['an app for each store', 'one app on both stores'] as const;

describe.each(KINDS)('every app route with resources of another store or app: %s', (kind) => {
  let server: OpenApp;
  let first: World;
  let second: World;
  let sibling: { readonly app: TestApp; readonly token: string; readonly cookie: string };

  let platform: TestPlatformApp;
  /** Developers of the platform app, and of another one, which is on the second store. */
  let developer: Pick<World, 'token' | 'cookie'>;
  let stranger: Pick<World, 'token' | 'cookie'>;
  const theApp = async (store: TestStore): Promise<TestApp> => {
    if (kind === 'an app for each store') return server.anApp(store);
    return { ...platform, id: await installOn(server, store, platform), store };
  };
  const signedIn = async (domain: string, proof: object): Promise<string> => {
    const signIn = server.api(domain, null)('post', '/apps/console/session').set(OWN_PAGE);
    const answer = await signIn.send(proof).expect(200);
    return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  };
  /** A session of the installation alone: the credentials of a platform app open a session over all stores. */
  const cookieOf = async ({ id, store }: TestApp): Promise<string> => {
    const { body } = await server.admin('post', `/admin/apps/${id}/console-codes`).expect(201);
    return signedIn(store.domain, { code: new URL((body as { url: string }).url).hash.slice('#code='.length) });
  };
  const aWorld = async (): Promise<World> => {
    const store = await server.aStore();
    const app = await theApp(store);
    const token = await server.token(app);
    const cookie = await cookieOf(app);
    const variants = [{ sku: MARK, currency: 'EUR', inventory: [{ available: 3 }] }];
    const [product = ''] = await server.importProducts(store, [{ name: MARK, slug: MARK, tags: [MARK], variants }]);
    const admin = `/admin/stores/${store.id}`;
    const id = COLLECTION.replace('c011', store.id.slice(-4));
    await server
      .admin('put', `${admin}/collections/${id}`)
      .send({ title: MARK, productIds: [product] })
      .expect(200);
    const whole = await server.admin('get', `${admin}/products/${product}`).expect(200);
    const [variant] = (whole.body as { variants: { id: string }[] }).variants.map(({ id: variantId }) => variantId);
    const note = { name: 'Note', fields: [{ key: 'title', type: 'single_line_text' }] };
    await server.admin('put', `${admin}/metaobject-definitions/note`).send(note).expect(200);
    const call = server.api(store.domain, token);
    await call('put', '/custom-data/metaobjects/note/entries/one')
      .send({ fields: { title: MARK } })
      .expect(200);
    const wanted = { url: `https://hooks.example.com/${MARK}`, eventTypes: ['product.updated'] };
    const made = await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    const items = [{ sourceUrl: `https://images.example.com/${MARK}`, productId: product }];
    const key = `key of ${app.id}`;
    const imported = await call('post', '/apps/media/imports').set('Idempotency-Key', key).send({ items }).expect(202);
    const { importId: mediaImport } = imported.body as { importId: string };
    const order = { type: 'order.paid', data: { id: MARK } };
    const recorded = await server.admin('post', `${admin}/events`).send(order).expect(202);
    const { eventId: event } = recorded.body as { eventId: string };
    await server.container.resolve(TOKENS.ports).deliveries.fanOut(store.id, 100);
    expect((await call('get', `/apps/events/${event}`).expect(200)).text).toContain(MARK);
    const log = await call('get', '/apps/webhooks/deliveries').expect(200);
    const [delivery] = (log.body as { items: { id: string }[] }).items.map(({ id: deliveryId }) => deliveryId);
    const subscription = (made.body as { id: string }).id;
    const inConsole = { ...OWN_PAGE, Cookie: cookie };
    const ofOne = server.api(store.domain, null)('post', '/apps/console/api/redeliveries').set(inConsole);
    const again = await ofOne.send({ subscriptionId: subscription }).expect(202);
    const refused = await call('get', `/apps/catalog/products/${COLLECTION}`).expect(404);
    const request = refused.headers['x-request-id'] ?? '';
    await eventually(async () => void (await server.admin('get', `/admin/requests/${request}`).expect(200)));
    return {
      store,
      app,
      token,
      cookie,
      product,
      variant: variant ?? '',
      subscription,
      mediaImport,
      event,
      delivery: delivery ?? '',
      request,
      key,
      redelivery: (again.body as { id: string }).id,
    };
  };
  const collectionOf = ({ store }: World): string => COLLECTION.replace('c011', store.id.slice(-4));

  beforeAll(async () => {
    server = await openApp({ ROLE: 'api', APP_CONSOLE: 'on' });
    platform = await aPlatformApp(server, { scopes: ALL_APP_SCOPES, optionalScopes: [] });
    first = await aWorld();
    second = await aWorld();
    const app = await server.anApp(first.store);
    sibling = { app, token: await server.token(app), cookie: await cookieOf(app) };
    const elsewhere = await aPlatformApp(server, { scopes: ALL_APP_SCOPES, optionalScopes: [] });
    await installOn(server, second.store, elsewhere);
    developer = {
      token: '',
      cookie: await signedIn(NO_STORE, { clientId: platform.clientId, clientSecret: platform.clientSecret }),
    };
    stranger = {
      token: '',
      cookie: await signedIn(NO_STORE, { clientId: elsewhere.clientId, clientSecret: elsewhere.clientSecret }),
    };
  });
  afterAll(async () => {
    await server.close();
  });

  /** Lists each table with its content. */
  const stateOf = async (world: World): Promise<Record<string, string>> => {
    const state: Record<string, string> = {};
    for (const table of [...TABLES, ...MORE]) {
      const rows = await server.database.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`, []);
      const own = rows.map(({ row }) => row).filter((row) => row.includes(world.store.id) || row.includes(world.app.id));
      state[table] = `${String(own.length)} ${createHash('sha256').update(own.join('\n')).digest('hex')}`;
    }
    return state;
  };

  let uses = 0;
  /** A request of this caller, by its token or by its session. The pages of a developer name the store in the path. */
  const as =
    (way: Way | Developing, { token, cookie }: Pick<World, 'token' | 'cookie'>, domain: string) =>
    (verb: Route['method'], path: string) => {
      if (way === 'token') return server.api(domain, token)(verb, path);
      const [host, place] = way === 'developer' ? [NO_STORE, `/at/${domain}`] : [domain, ''];
      const below = `/apps/console${place}/api${path.replace(/^\/apps/, '')}`;
      return server
        .api(host, null)(verb, below)
        .set({ ...OWN_PAGE, Cookie: cookie });
    };
  /** The route asked with ids, and a body that would do something, of this world. */
  const ask = (
    route: Route,
    domain: string,
    caller: readonly [Way | Developing, Pick<World, 'token' | 'cookie'>],
    target: World,
  ) => {
    const ids = {
      collections: collectionOf(target),
      subscriptions: target.subscription,
      imports: target.mediaImport,
      events: target.event,
      deliveries: target.delivery,
      receivers: target.subscription,
      redeliveries: target.redelivery,
      requests: target.request,
    };
    const id = Object.entries(ids).find(([name]) => route.path.includes(`/${name}/`))?.[1] ?? target.product;
    const queries: Readonly<Record<string, string>> = {
      '/apps/catalog/variants': `?ids=${target.variant}`,
      '/apps/search': `?q=${target.subscription}`,
    };
    const named = route.path.replace(':id', id).replace(':key', encodeURIComponent(target.key));
    const path = `${named.replace(':type', 'note').replace(':handle', 'one')}${queries[route.path] ?? ''}`;
    uses += 1;
    const [way, world] = caller;
    const call = as(way, world, domain)(route.method, path).set('Idempotency-Key', `use-${String(uses)}`);
    if (route.body === null) return call;
    if (route.path === '/apps/redeliveries') return call.send({ subscriptionId: target.subscription });
    if (route.path.includes('/media/'))
      return call.send({ items: [{ sourceUrl: 'https://images.example.com/taken', productId: target.product }] });
    if (route.bulk === 'variants') return call.send({ variants: [{ id: target.variant, price: 1, stock: [{ adjust: 1 }] }] });
    if (route.idempotent)
      return call.send({ products: [{ id: target.product, name: 'taken', slug: 'taken', status: 'Archived' }] });
    return call.send(
      route.path.includes('/metaobjects/')
        ? { fields: { title: 'taken' } }
        : { url: 'https://hooks.example.com/taken', eventTypes: ['product.updated'] },
    );
  };
  const reachable = { token: appRoutes, 'console session': [...ofApps(portalRoutes), ...appRoutes] } as const;
  const named = (routes: readonly Route[]) =>
    routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
  const titled = WAYS.flatMap((way) =>
    reachable[way].map((route) => [`${route.method.toUpperCase()} ${route.path}`, way, route] as const),
  );

  it('both stores have products, collections and subscriptions, so that a leak would be found', async () => {
    expect(await stateOf(first)).toMatchObject({
      products: expect.stringMatching(/^1 /) as string,
      subscriptions: expect.stringMatching(/^1 /) as string,
      metaobject_entries: expect.stringMatching(/^1 /) as string,
    });
  });

  it.each(titled)("%s with a %s of store A used on store B's domain: 401, empty body", async (_title, way, route) => {
    const before = await stateOf(first);
    const answer = await ask(route, first.store.domain, [way, second], first);
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect(await stateOf(first)).toEqual(before);
  });

  it.each(titled)(
    "%s with a %s on the app's own store, with another store's ids: nothing leaks, nothing changes",
    async (_title, way, route) => {
      const before = await stateOf(first);
      const answer = await ask(route, second.store.domain, [way, second], first);
      if (/:(id|key)/.test(route.path)) expect(answer.status).toBe(404);
      if (route.bulk === 'products')
        expect(answer.body).toMatchObject({ failed: 1, results: [{ errorCode: 'product_not_found', slug: null }] });
      if (route.bulk === 'variants')
        expect(answer.body).toMatchObject({ failed: 1, results: [{ errorCode: 'variant_not_found', stock: [] }] });
      const { redelivery, request } = first;
      const ids = [first.store.id, first.app.id, first.subscription, first.mediaImport, first.event, first.delivery];
      for (const secret of [redelivery, request]) expect(answer.text).not.toContain(secret);
      for (const secret of ids) expect(answer.text.replaceAll(first.product, '')).not.toContain(secret);
      if (route.path.includes(':id') || route.idempotent) expect(answer.text).not.toContain(MARK);
      expect(await stateOf(first)).toEqual(before);
    },
  );

  it.each(named(ofApps(portalRoutes)))(
    '%s with a console session of another app of the store: nothing leaks, nothing changes; its own is found',
    async (_title, route) => {
      const before = await stateOf(first);
      const { domain } = first.store;
      const answer = await ask(route, domain, ['console session', sibling], first);
      if (/:(id|key)/.test(route.path)) expect(answer.status).toBe(404);
      else expect(answer.status).toBeOneOf([200, 202]);
      for (const secret of [MARK, first.app.id, first.subscription, first.delivery, first.event, first.request, first.redelivery])
        expect(answer.text).not.toContain(secret);
      expect(await stateOf(first)).toEqual(before);
      // An attempt may be refused for another reason than that it is another's: no worker sends here.
      expect((await ask(route, domain, ['console session', first], first)).status).toBeOneOf([200, 202]);
    },
  );

  it.each(named(portalRoutes))('%s is not for an access token: 404', async (_title, route) => {
    expect((await ask(route, first.store.domain, ['token', first], first)).status).toBe(404);
  });

  it.each(named(ofApps([...portalRoutes, ...appRoutes])))(
    '%s with a session of a developer: nothing of a store without the app, and of a store with it no more than its installation',
    async (_title, route) => {
      const before = await stateOf(first);
      const refused = await ask(route, first.store.domain, ['developer', stranger], first);
      expect([refused.status, refused.text]).toEqual([401, '']);
      const answer = await ask(route, second.store.domain, ['developer', stranger], first);
      if (/:(id|key)/.test(route.path)) expect(answer.status).toBe(404);
      for (const secret of [first.app.id, first.subscription, first.event, first.delivery, first.request, first.redelivery])
        expect(answer.text).not.toContain(secret);
      if (kind === 'one app on both stores' && route.method === 'get') {
        expect((await ask(route, first.store.domain, ['developer', developer], first)).status).toBe(200);
        const foreign = await ask(route, second.store.domain, ['developer', developer], first);
        if (/:(id|key)/.test(route.path)) expect(foreign.status).toBe(404);
      }
      expect(await stateOf(first)).toEqual(before);
    },
  );

  it.each(named(ofDevelopers(portalRoutes)))(
    '%s is for a developer: 401 with the session of an installation, and with that of a developer its own alone',
    async (_title, route) => {
      const before = await stateOf(first);
      const below = `/apps/console/api${route.path.replace(/^\/apps/, '')}`;
      const inConsole = (host: string, cookie: string, path = below) =>
        server
          .api(host, null)(route.method, path)
          .set({ ...OWN_PAGE, Cookie: cookie });
      for (const { cookie } of [first, sibling]) {
        for (const host of [first.store.domain, NO_STORE]) {
          const { status, text } = await inConsole(host, cookie);
          expect([status, text]).toEqual([401, '']);
        }
      }
      const basic = server.api(NO_STORE, null)(route.method, below).set(OWN_PAGE);
      expect((await basic.auth(platform.clientId, platform.clientSecret)).status).toBe(401);
      const { text } = await inConsole(first.store.domain, stranger.cookie);
      for (const secret of [first.store.id, first.store.domain, first.app.id]) expect(text).not.toContain(secret);
      expect(await stateOf(first)).toEqual(before);
    },
  );

  it.each(named(sandboxRoutes))(
    '%s is for the credentials of a platform app: 401 with a token, 404 in the console of an app',
    async (_title, route) => {
      const before = await stateOf(first);
      const { domain } = first.store;
      const path = route.path.replace(':name', 'ci');
      await server.api(domain, first.token)(route.method, path).expect(401, '');
      for (const { cookie } of [first, developer]) {
        const inConsole = server.api(domain, null)(route.method, `/apps/console/api/${path.slice('/apps/'.length)}`);
        await inConsole.set({ ...OWN_PAGE, Cookie: cookie }).expect(404);
      }
      expect(await stateOf(first)).toEqual(before);
    },
  );

  it('a subscription of another installation of the same store is neither listed nor deleted: 404', async () => {
    const call = server.api(first.store.domain, sibling.token);
    const before = await stateOf(first);
    expect((await call('get', '/apps/webhooks/subscriptions')).body).toEqual([]);
    expect((await call('delete', `/apps/webhooks/subscriptions/${first.subscription}`)).status).toBe(404);
    expect(await stateOf(first)).toEqual(before);
  });

  it("an import of another installation or another store gets 404; the app's own import does not", async () => {
    const path = `/apps/media/imports/${first.mediaImport}`;
    for (const [domain, token] of [[first.store.domain, sibling.token] as const, [second.store.domain, second.token] as const]) {
      const answer = await server.api(domain, token)('get', path);
      expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found' }]);
    }
    const own = await server.api(first.store.domain, first.token)('get', path);
    expect([own.status, own.body]).toMatchObject([200, { importId: first.mediaImport, status: 'Queued' }]);
  });

  it("an app's feed has no event of another store, and a cursor of another store gets 400", async () => {
    const own = await server.api(second.store.domain, second.token)('get', '/apps/events').expect(200);
    expect(own.text).toContain(second.event);
    expect(own.text).not.toContain(first.event);
    const { next } = (await server.api(first.store.domain, first.token)('get', '/apps/events')).body as { next: string };
    await server.api(second.store.domain, second.token)('get', `/apps/events?after=${next}`).expect(400);
  });

  it("the merchant's search, lists and attention of a store have nothing of another store", async () => {
    const own = `/admin/stores/${second.store.id}`;
    const ids = [first.app.id, first.subscription, first.mediaImport, first.event, first.delivery, first.product];
    const found = async (path: string): Promise<string> => (await server.admin('get', path).expect(200)).text;
    for (const id of [...ids, MARK]) {
      expect(await found(`/admin/stores/${first.store.id}/search?q=${id}`)).toContain(id);
      const elsewhere = await found(`${own}/search?q=${id}`);
      for (const secret of ids) expect(elsewhere).not.toContain(secret);
    }
    for (const list of [
      '/events?order=newest',
      '/media-imports',
      '/product-imports',
      '/attention',
      '/incidents',
      '/deliveries',
      '/requests',
    ]) {
      const text = await found(`${own}${list}`);
      for (const secret of ids) expect(text).not.toContain(secret);
    }
    for (const list of ['events', 'media-imports'])
      expect(await found(`${own}/${list}?installationId=${first.app.id}&resourceId=${first.product}`)).toContain('"items":[]');
  });

  it('two installations have separate entries with the same type and handle', async () => {
    const path = '/custom-data/metaobjects/note/entries/one';
    const theirs = await server
      .api(first.store.domain, sibling.token)('put', path)
      .send({ fields: { title: 'sibling' } });
    const mine = await server
      .api(first.store.domain, first.token)('put', path)
      .send({ fields: { title: MARK } });
    expect((theirs.body as { id: string }).id).not.toBe((mine.body as { id: string }).id);
    const { body } = await server.admin('get', `/admin/stores/${first.store.id}/metaobjects/note`);
    const { items } = body as { items: { installationId: string; fields: unknown }[] };
    expect(items.map(({ installationId, fields }) => [installationId, fields])).toEqual(
      expect.arrayContaining([
        [first.app.id, { title: MARK }],
        [sibling.app.id, { title: 'sibling' }],
      ]),
    );
  });

  it('Keys for idempotency are scoped to the installation: the same key of another installation executes, and another body there is not a mismatch', async () => {
    const send = (token: string, domain: string, name: string) =>
      server
        .api(domain, token)('post', '/apps/catalog/products/bulk')
        .set('Idempotency-Key', 'shared')
        .send({ products: [{ id: second.product, name }] });
    const own = await send(first.token, first.store.domain, 'a');
    const other = await send(sibling.token, first.store.domain, 'b');
    const far = await send(second.token, second.store.domain, 'c');
    for (const answer of [own, other, far]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('idempotent-replay');
    }
    expect(far.body).toMatchObject({ succeeded: 1 });
    expect((await send(first.token, first.store.domain, 'a')).headers['idempotent-replay']).toBe('true');
  });

  it('uninstalling one app leaves the tokens and subscriptions of another', async () => {
    const gone = await server.anApp(first.store);
    await server.token(gone);
    const before = await stateOf(second);
    await server.admin('post', `/admin/apps/${gone.id}/uninstall`).expect(204);
    expect(await stateOf(second)).toEqual(before);
    const listed = await server.api(first.store.domain, first.token)('get', '/apps/webhooks/subscriptions');
    expect(listed.body).toMatchObject([{ id: first.subscription, isActive: true }]);
  });
});
