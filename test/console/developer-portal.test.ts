import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, WIDER, type ConsolePage } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { aPlatformApp, installOn, tokenOn, type TestPlatformApp } from '../support/platform-apps.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;
/** A folder for pictures of the pages, to be looked at. */
const SHOTS = process.env['SHOTS'];

describe.skipIf(!browserAvailable())('the portal of a platform app', () => {
  let app: OpenApp;
  let platform: TestPlatformApp;
  let sunrise: TestStore;
  let receiver: Receiver;
  let base = '';
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  /** A subscription of the app that gets this many paid orders, after the ping that each gets. */
  const orders = async (store: TestStore, count: number): Promise<void> => {
    const call = app.api(store.domain, await tokenOn(app, store, platform));
    const wanted = { url: `${receiver.url}/hook`, eventTypes: ['order.paid'] };
    await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    for (let n = 0; n < count; n += 1) {
      const order = { type: 'order.paid', data: { id: `order-${String(n)}` } };
      await app.admin('post', `/admin/stores/${store.id}/events`).send(order).expect(202);
    }
    await call('get', '/apps/catalog/products').expect(403);
  };

  beforeAll(async () => {
    app = await openApp({ APP_CONSOLE: 'on', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_RETRY_SECONDS: '0,3600' });
    receiver = await startReceiver();
    receiver.answer(respond(503, '{"error":"The warehouse is closed."}'));
    platform = await aPlatformApp(app, { scopes: ['read_orders', 'write_webhooks'], optionalScopes: [] });
    sunrise = await app.aStore('sunrise-tools-and-timber.example.com');
    const moonlight = await app.aStore('moonlight.example.com');
    const harbour = await app.aStore('harbour.example.com');
    await app.admin('patch', `/admin/stores/${sunrise.id}`).send({ name: 'Sunrise Tools & Timber' }).expect(200);
    await app.admin('patch', `/admin/stores/${harbour.id}`).send({ name: 'Harbour Books' }).expect(200);
    const ids = [];
    for (const store of [sunrise, moonlight, harbour]) ids.push(await installOn(app, store, platform));
    await orders(sunrise, 3);
    await app
      .admin('patch', `/admin/apps/${ids[2] ?? ''}`)
      .send({ status: 'Suspended' })
      .expect(200);
    await app
      .admin('patch', `/admin/platform-apps/${platform.id}`)
      .send({ scopes: ['read_orders', 'write_webhooks', 'read_products'] });
    await app.api('localhost', null)('put', '/apps/sandboxes/ci').auth(platform.clientId, platform.clientSecret).expect(200);
    const failing = 'SELECT count(*)::int AS n FROM deliveries WHERE store_id = $1 AND error IS NOT NULL';
    await eventually(async () => expect(await app.database.query(failing, [sunrise.id])).toEqual([{ n: 4 }]));
    base = app.url.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await app.close();
  });

  const signedIn = async (): Promise<ConsolePage> => {
    const page = await openPage(browser, base);
    await page.goto('/apps/console/');
    await page.getByLabel('Client id').fill(platform.clientId);
    await page.getByLabel('Client secret').fill(platform.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Stock sync', level: 1 }).waitFor();
    return page;
  };
  const table = (page: ConsolePage) => page.getByRole('region', { name: 'Installations' });

  it('a developer signs in, finds a store, reads what fails there, and goes back', async () => {
    const page = await signedIn();
    await page.getByText('4 of 4 installations').waitFor();
    expect(await table(page).getByRole('link', { name: 'harbour.example.com' }).count()).toBe(0);
    await page.getByLabel('Name or domain of a store').fill('timber');
    await page.getByText('1 installation', { exact: true }).waitFor();
    await table(page)
      .getByRole('link', { name: `4 deliveries failing on ${sunrise.domain}` })
      .click();
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/apps/console/at/${sunrise.domain}/stores/${sunrise.id}/deliveries`);
    await expect.poll(() => page.getByRole('row', { name: /order\.paid/ }).count()).toBe(3);
    const pages = page.getByRole('navigation', { name: 'Pages of the store' }).getByRole('link');
    for (const name of await pages.allTextContents()) {
      await pages.getByText(name, { exact: true }).click();
      await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
      await page.locator('main h1').waitFor();
      expect(await axeViolations(page), name).toEqual([]);
    }
    await page.getByRole('link', { name: 'All stores' }).click();
    await page.getByText('4 of 4 installations').waitFor();
    expect(new URL(page.url()).pathname).toBe('/apps/console/stores');
    expectNoProblems(page);

    await app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ status: 'Suspended' }).expect(200);
    await page.getByLabel('Name or domain of a store').fill('moon');
    await page.getByLabel('Client id').waitFor();
    await app.admin('patch', `/admin/platform-apps/${platform.id}`).send({ status: 'Active' }).expect(200);
    await page.context().close();
  });

  it('an operator makes a link, which signs the developer in', async () => {
    const { body } = await app.admin('post', `/admin/platform-apps/${platform.id}/console-codes`).expect(201);
    const { url } = body as { url: string };
    const page = await openPage(browser, base);
    await page.goto(`/apps/console/${new URL(url).hash}`);
    await page.getByRole('heading', { name: 'Sign in as Stock sync?' }).waitFor();
    await page.getByRole('button', { name: 'Sign in as Stock sync' }).click();
    await page.getByText('4 of 4 installations').waitFor();
    expect(page.url()).not.toContain('code');
    await page.context().close();
  });

  it('the list and the pages of a store read well in both themes, on a phone and on a wide screen', async () => {
    const page = await signedIn();
    for (const place of ['list', 'store'] as const) {
      if (place === 'store') await page.goto(`/apps/console/at/${sunrise.domain}/`);
      await page.getByText(place === 'list' ? '4 of 4 installations' : 'Latest deliveries').waitFor();
      for (const colorScheme of THEMES) {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const name = `${place}-${String(width)}-${colorScheme}`;
          expect(await axeViolations(page), name).toEqual([]);
          expect(await page.evaluate<number>(WIDER), name).toBeLessThanOrEqual(0);
          if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
        }
      }
    }
    expectNoProblems(page);
    await page.context().close();
  });
});
