import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { BESIDE_OTHERS, BEYOND_BUDGET, budgetOf } from '../../src/adapters/http/budget.ts';
import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { adminRoutes, appRoutes, portalRoutes } from '../../src/adapters/http/routes.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { MAX_SANDBOX_RECORDS } from '../../src/domain/identity/sandbox.ts';
import { ALL_APP_SCOPES, openApp, type OpenApp, type Verb } from '../support/app.ts';
import { aPlatformApp, tokenOn, type TestPlatformApp } from '../support/platform-apps.ts';

const BASE = 'sandbox.example.com';
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const ID = '019a0000-0000-7000-8000-00000000dead';
const ENTRY = '/custom-data/metaobjects/workshop/entries';
const FULL = {
  detail:
    'A sandbox store has at most 30,000 events, deliveries, attempts and idempotency keys, and 100 MiB of them. Reset it with PUT /apps/sandboxes/{name}.',
};

interface Sandbox {
  readonly name: string;
  readonly storeId: string;
  readonly domain: string;
}
type Api = ReturnType<OpenApp['api']>;

let app: OpenApp;
let platform: TestPlatformApp;
let made: Sandbox;
let api: Api;

const sandboxes = (verb: Verb, name: string, { clientId, clientSecret } = platform) =>
  app.api(BASE, null)(verb, `/apps/sandboxes/${name}`).auth(clientId, clientSecret);
const put = async (name: string, of = platform): Promise<Sandbox> =>
  (await sandboxes('put', name, of).expect(200)).body as Sandbox;
const apiOf = async ({ storeId: id, domain }: Sandbox, of = platform): Promise<Api> =>
  app.api(domain, await tokenOn(app, { id, domain }, of));
const entry = (handle: string, by = api) =>
  by('put', `${ENTRY}/${handle}`).send({ fields: { title: handle, starts: '2027-01-05T08:00:00.000Z' } });

/** Adds events until the store has room for `left` records. */
const fill = async ({ storeId }: Sandbox, left = 0): Promise<void> => {
  const { records = 0 } = (await app.container.resolve(TOKENS.ports).sandboxRecords.count(storeId)) ?? {};
  await app.database.query(
    `INSERT INTO events (id, store_id, type, body) SELECT gen_random_uuid(), $1, 'order.paid', '{}' FROM generate_series(1, $2)`,
    [storeId, MAX_SANDBOX_RECORDS - records - left],
  );
};

const open = async (settings: Record<string, string> = {}): Promise<void> => {
  app = await openApp({ SANDBOX_DOMAIN: BASE, APP_CONSOLE: 'on', ROLE: 'api', ...settings });
  platform = await aPlatformApp(app, { scopes: ALL_APP_SCOPES, optionalScopes: [] });
};

describe('a sandbox store that has used its budget', () => {
  let subscription: string;
  let delivery: string;
  let cookie: string;
  beforeAll(async () => {
    await open();
    made = await put('ci');
    api = await apiOf(made);
    const target = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
    subscription = ((await api('post', '/apps/webhooks/subscriptions').send(target).expect(200)).body as { id: string }).id;
    const { deliveries } = app.container.resolve(TOKENS.ports);
    await deliveries.fanOut(made.storeId, 100);
    const log = (await api('get', '/apps/webhooks/deliveries').expect(200)).body as { items: { id: string }[] };
    delivery = log.items[0]?.id ?? '';
    const { clientId, clientSecret } = platform;
    const signIn = app.api(BASE, null)('post', '/apps/console/session').set(OWN_PAGE);
    const { headers } = await signIn.send({ clientId, clientSecret }).expect(200);
    cookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    await api('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'earlier').send({ products: [] }).expect(400);
    await operators('earlier').expect(400);
    await fill(made);
  });
  afterAll(() => app.close());

  const changing = (route: Route): boolean => budgetOf(route) !== null;
  /** The key of an operator is looked up later than that of an app whose request has arrived. */
  const operators = (key: string) =>
    app.admin('post', `/admin/stores/${made.storeId}/variants/bulk`).set('Idempotency-Key', key).send({ variants: [] });
  const titled = (routes: readonly Route[]) =>
    routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
  const pathOf = ({ path }: Route): string =>
    path
      .replace(':storeId', made.storeId)
      .replace(':subscriptionId', subscription)
      .replace(':deliveryId', delivery)
      .replaceAll(/:\w*[iI]d\b/g, ID)
      .replaceAll(/:\w+/g, 'x');
  const expectFull = (body: unknown): void => {
    const { detail, error } = body as { detail?: string; error?: string };
    expect({ detail: detail ?? error }).toEqual(FULL);
  };

  it.each(titled(appRoutes.filter(changing)))('refuses what changes something, and uses no key: %s', async (_title, route) => {
    const { body } = await api(route.method, pathOf(route)).set('Idempotency-Key', `of ${route.path}`).send({}).expect(409);
    expectFull(body);
    const keys = await app.database.query('SELECT FROM idempotency_records WHERE store_id = $1', [made.storeId]);
    expect(keys).toHaveLength(1);
  });
  it.each(titled(portalRoutes.filter(changing)))('refuses it in the portal of the app: %s', async (_title, route) => {
    const path = `/apps/console/at/${made.domain}/api${pathOf(route).replace('/apps', '')}`;
    const call = app
      .api(BASE, null)(route.method, path)
      .set({ ...OWN_PAGE, Cookie: cookie });
    expectFull((await call.send({}).expect(409)).body);
  });
  it.each(titled(adminRoutes.filter((route) => changing(route) && !route.path.includes(':installRequestId'))))(
    'refuses it to an operator: %s',
    async (_title, route) => {
      const [stream] = route.streams;
      const call = app.admin(route.method, pathOf(route)).set('Idempotency-Key', `of ${route.path}`);
      const { body } = await (stream === undefined ? call.send({}) : call.type(stream).send('{}\n')).expect(409);
      expectFull(body);
    },
  );
  it('refuses nothing in the store of a merchant, and nothing in another sandbox of the app', async () => {
    await entry('one', await apiOf(await put('other'))).expect(200);
    const merchants = await app.aStore();
    const definition = { name: 'Note', fields: [] };
    for (let n = 0; n < 2; n += 1)
      await app.admin('put', `/admin/stores/${merchants.id}/metaobject-definitions/note`).send(definition).expect(200);
    await app.admin('put', `/admin/stores/${made.storeId}/metaobject-definitions/note`).send(definition).expect(409);
  });
  it('answers reads, tokens, dry runs, and a key that has an answer', async () => {
    for (const path of ['/apps/catalog/products', '/apps/events', '/apps/installation', '/apps/webhooks/deliveries'])
      await api('get', path).expect(200);
    await (await apiOf(made))('get', `/apps/webhooks/subscriptions`).expect(200);
    const target = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
    await api('post', '/apps/webhooks/subscriptions?dryRun=1').send(target).expect(200);
    const again = api('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'earlier').send({ products: [] });
    for (const replay of [again, operators('earlier')])
      expect((await replay.expect(400)).headers).toMatchObject({ 'idempotent-replay': 'true' });
    await operators('later').expect(409);
  });
  it('lets the app unsubscribe, and an operator restrain it', async () => {
    const target = { url: 'https://hooks.example.com/', eventTypes: ['order.paid'] };
    const own = `/admin/stores/${made.storeId}`;
    expectFull((await app.admin('post', `${own}/webhooks/subscriptions`).send(target).expect(409)).body);
    const { body } = await api('get', '/apps/installation').expect(200);
    await app.admin('post', `${own}/webhooks/subscriptions/${subscription}/pause`).expect(200);
    await api('delete', `/apps/webhooks/subscriptions/${subscription}`).expect(204);
    const installation = `/admin/apps/${(body as { id: string }).id}`;
    await app.admin('patch', installation).send({ status: 'Suspended' }).expect(200);
    await app.admin('patch', installation).send({ status: 'Installed' }).expect(200);
    api = await apiOf(made);
  });
  it('says why in the request log, and how to reset it', async () => {
    await entry('one').expect(409);
    // Not this one by its id: the log takes ten refusals of a reason in a second, and there were more.
    const logged = async () => (await app.admin('get', `/admin/stores/${made.storeId}/requests`)).body as { items: object[] };
    await expect.poll(async () => (await logged()).items).toContainEqual(expect.objectContaining({ reason: 'sandbox_used_up' }));
  });
  it('is free again after its reset, and can be deleted', async () => {
    made = await put('ci');
    await entry('one', await apiOf(made)).expect(200);
    await fill(made);
    await entry('two', await apiOf(made)).expect(409);
    await sandboxes('delete', 'ci').expect(204);
  });
});

it('each route that is named as an exception exists', () => {
  const names = new Set([...appRoutes, ...adminRoutes, ...portalRoutes].map(({ operationId }) => operationId));
  expect([...BEYOND_BUDGET, ...BESIDE_OTHERS].filter((name) => !names.has(name))).toEqual([]);
});

describe('a sandbox store with room for one more change', () => {
  beforeAll(() => open());
  afterAll(() => app.close());
  beforeEach(async () => {
    made = await put('ci');
    api = await apiOf(made);
    await fill(made, 1);
  });

  it('has one of many that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => entry(`handle-${String(n)}`)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('the requests of an app in its sandbox stores', () => {
  const BURST = 30;
  beforeAll(() => open({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(BURST) }));
  afterAll(() => app.close());

  it('count together, beside those of another app and in the store of a merchant', async () => {
    const both = [await apiOf(await put('one')), await apiOf(await put('two'))] as const;
    for (let n = 0; n < BURST; n += 1) await both[n % 2]?.('get', '/apps/installation').expect(200);
    for (const by of both) await by('get', '/apps/installation').expect(429);
    const other = await aPlatformApp(app);
    await (await apiOf(await put('one', other), other))('get', '/apps/installation').expect(200);
    const merchants = await app.aStore();
    const theirs = app.api(merchants.domain, await app.token(await app.anApp(merchants)));
    const { headers } = await theirs('get', '/apps/installation').expect(200);
    expect(headers['ratelimit']).toMatch(new RegExp(`^"installation";r=${String(BURST - 1)};`));
  });
});
