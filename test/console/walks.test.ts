import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { expectNoProblems, openPage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { aCatalogue, PORTAL_WALK, walkerOn, WALKS, type Places } from '../support/walks.ts';

const MOST_CLICKS = 5;
const MOST_REQUESTS = 10;
const BULK = '/apps/catalog/products/bulk';

const PAGES = [
  '',
  ...['/incidents', '/events', '/deliveries', '/subscriptions', '/requests', '/keys', '/apps', '/products', '/import', '/media'],
  ...['/try', '/proof', '/changes', '/search?q=saw'],
];

describe.skipIf(!browserAvailable())('the ten questions, by clicks', () => {
  let world: ConsoleWorld;
  let places: Places;

  beforeAll(async () => {
    // The second attempt is an hour away, so that a receiver stays paused.
    world = await openConsoleWorld({ WEBHOOK_RETRY_SECONDS: '0,3600', APP_CONSOLE: 'on' });
    const { app, store, installed, productIds } = world;
    const bulk = async (token: string, key: string, name: string): Promise<number> => {
      const call = app.api(store.domain, token)('post', BULK).set('Idempotency-Key', key);
      return (await call.send({ products: [{ id: productIds[1], name }] })).status;
    };
    const reader = await app.token(await app.anApp(store, ['read_products']));
    expect(await bulk(reader, 'refused', 'Saw')).toBe(403);
    const token = await app.token(installed);
    const wanted = { url: `${world.works.url}/hook`, eventTypes: ['product.updated'] };
    await app.api(store.domain, token)('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    const own = { url: `${world.fails.url}/hook`, eventTypes: ['product.updated'], description: 'Warehouse' };
    await app.admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`).send(own).expect(200);
    for (let n = 0; n < 11; n += 1) expect(await bulk(token, `nightly-${String(n)}`, `Tenon saw ${String(n)}`)).toBe(200);
    await eventually(async () => {
      const { body } = await app.admin('get', `/admin/stores/${store.id}/incidents?status=open`).expect(200);
      expect((body as { items: unknown[] }).items).toHaveLength(1);
    });
    await app.admin('patch', `/admin/apps/${installed.id}`).send({ name: 'Stock sync' }).expect(200);
    places = { catalogue: aCatalogue(3_000), app: 'Stock sync', key: 'nightly-3', product: 'Tenon saw', newApp: 'Price watcher' };
  });
  afterAll(() => world.close());

  it.each(Object.entries(WALKS))('%s', async (_question, walk) => {
    const page = await world.open();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const walker = walkerOn(page);
    await walk(walker, places);
    expect(walker.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expectNoProblems(page);
    await page.context().close();
  });

  it(PORTAL_WALK[0], async () => {
    const { app, installed, store, browser } = world;
    // The browser finds the store by its host name, and has no other than this.
    const { body } = await app.admin('post', `/admin/apps/${installed.id}/console-codes`).expect(201);
    const { url } = body as { url: string };
    const base = app.url.replace('127.0.0.1', 'localhost');
    await app.admin('patch', `/admin/stores/${store.id}`).send({ domain: 'localhost' }).expect(200);
    const page = await openPage(browser, base);
    await page.goto(`/apps/console/${new URL(url).hash}`);
    await page.getByRole('button', { name: /^Sign in as / }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const walker = walkerOn(page);
    await PORTAL_WALK[1](walker, places);
    expect(walker.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expectNoProblems(page);
    await page.context().close();
  });

  it.each(PAGES)('%s is there after at most ten requests of a cold browser', async (path) => {
    const { browser, app, store } = world;
    const signedIn = await world.open();
    const storageState = await signedIn.context().storageState();
    await signedIn.context().close();
    const page = await openPage(browser, app.adminUrl, { storageState });
    const requests: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests.push(request.url());
    });
    await page.goto(`/console/stores/${store.id}${path}`);
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    // The stream stays open, so the line is not idle as a browser means it: nothing new is asked for in two looks.
    let before = -1;
    await expect
      .poll(
        () => {
          const isQuiet = requests.length === before;
          before = requests.length;
          return isQuiet;
        },
        { interval: 500 },
      )
      .toBe(true);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
    await page.context().close();
  });
});
