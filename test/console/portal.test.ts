import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, type ConsolePage } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

describe.skipIf(!browserAvailable())('the console of an app', () => {
  let app: OpenApp;
  let store: TestStore;
  let installed: TestApp;
  let fails: Receiver;
  let base = '';
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  beforeAll(async () => {
    // The second attempt is an hour away, so that what waits stays.
    app = await openApp({ APP_CONSOLE: 'on', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_RETRY_SECONDS: '0,3600' });
    fails = await startReceiver();
    fails.answer(respond(503, '{"error":"The warehouse is closed."}'));
    // The browser finds the store by its host name, as it finds any other.
    store = await app.aStore('localhost');
    installed = await app.anApp(store);
    await app.importProducts(store, [{ name: 'Block plane', variants: [{ sku: 'bp', currency: 'EUR', price: 10 }] }]);
    base = app.url.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await fails.close();
    await app.close();
  });

  const signedIn = async (as: TestApp): Promise<ConsolePage> => {
    const page = await openPage(browser, base);
    await page.goto('/apps/console/');
    await page.getByLabel('Client id').fill(as.clientId);
    await page.getByLabel('Client secret').fill(as.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  };
  const linksOf = (page: ConsolePage) => page.getByRole('navigation', { name: 'Pages of the store' }).getByRole('link');
  /** Reads a single row. */
  const read = async <T extends object>(text: string): Promise<T> =>
    (await app.database.query<T>(text))[0] ?? expect.fail(`nothing: ${text}`);

  it('a developer signs in with the credentials of the app, sees its pages alone, and calls its API twice', async () => {
    const page = await signedIn(installed);
    const links = linksOf(page);
    const names = ['App', 'Events', 'Deliveries', 'Subscriptions', 'Requests', 'Idempotency keys', 'Try it'];
    expect(await links.allTextContents()).toEqual(names);
    for (const name of await links.allTextContents()) {
      await links.getByText(name, { exact: true }).click();
      await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
      await page.locator('main h1').waitFor();
      expect(await axeViolations(page), name).toEqual([]);
    }
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await page.getByText('200', { exact: true }).first().waitFor();
    await send.click();
    await page.getByText('Idempotent-Replay: true').first().waitFor();
    // Not even a page that asks for them gets the merchant's routes.
    const refused = await page.evaluate<number>(`fetch('/apps/console/api/../../admin/stores').then(({ status }) => status)`);
    expect(refused).toBe(404);
    expectNoProblems(page);

    await app.admin('post', `/admin/apps/${installed.id}/uninstall`).expect(204);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByLabel('Client id').waitFor();
    await page.context().close();
  });

  it('a developer sees why a receiver fails, tries it, sends again by filter, and finds refusals and keys', async () => {
    const mine = await app.anApp(store, ['read_products', 'write_webhooks', 'read_orders']);
    const call = app.api(store.domain, await app.token(mine));
    const wanted = { url: `${fails.url}/hook`, eventTypes: ['order.paid'], description: 'Warehouse in Rotterdam' };
    const made = await call('post', '/apps/webhooks/subscriptions').send(wanted).expect(200);
    const { id } = made.body as { id: string };
    for (let n = 0; n < 11; n += 1) {
      const order = { type: 'order.paid', data: { id: `order-${String(n)}` } };
      await app.admin('post', `/admin/stores/${store.id}/events`).send(order).expect(202);
    }
    await eventually(() => read(`SELECT FROM subscriptions WHERE id = '${id}' AND probe_at IS NOT NULL`));
    const refused = await call('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'first').send({ products: [] });
    expect(refused.status).toBe(403);

    const page = await signedIn(mine);
    await linksOf(page).getByText('Subscriptions', { exact: true }).click();
    await page.getByRole('row', { name: /Paused.*Warehouse in Rotterdam/ }).waitFor();
    await page.getByRole('link', { name: 'Warehouse in Rotterdam' }).click();
    await page.getByRole('heading', { name: 'Warehouse in Rotterdam', level: 1 }).waitFor();
    await page.getByText('The last 10 attempts failed').waitFor();
    await page.getByRole('img', { name: /^Attempts by status in the last 24 hours/ }).waitFor();
    await page.getByText('{"error":"The warehouse is closed."}').first().waitFor();
    await page.getByText('Request headers').first().click();
    await page.getByText(`webhook-subscription-id: ${id}`).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    fails.answer(respond(204));
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('Delivered: the receiver answered 204').waitFor();
    await page.getByText('Deliverable', { exact: true }).waitFor();

    await linksOf(page).getByText('Deliveries', { exact: true }).click();
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByRole('button', { name: /^Queue \d+ deliver(y|ies) again$/ }).click();
    await page.getByText(/queued again\. Their status below says what became of them\.$/).waitFor();

    await linksOf(page).getByText('Requests', { exact: true }).click();
    await page.getByRole('link', { name: 'Needs write_products' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Ask the merchant to grant the scope.').waitFor();
    await drawer.getByText('read_products', { exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.keyboard.press('Escape');
    const search = page.getByRole('search', { name: 'Whole store' }).getByRole('searchbox');
    await search.fill('order-0');
    await search.press('Enter');
    await page.getByRole('list', { name: 'What was found' }).or(drawer).first().waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a developer reads the life of a key of the app', async () => {
    const mine = await app.anApp(store, ['write_products']);
    const call = app.api(store.domain, await app.token(mine));
    const [product = ''] = await app.importProducts(store, [{ name: 'Tenon saw' }]);
    const change = { products: [{ id: product, name: 'Fine tenon saw' }] };
    const bulk = () => call('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'saw-1').send(change).expect(200);
    await bulk();
    const page = await signedIn(mine);
    await linksOf(page).getByText('Idempotency keys', { exact: true }).click();
    await page.getByLabel('Idempotency-Key').fill('saw-1');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('1 event that it caused').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expectNoProblems(page);
    await page.context().close();
  });
});
