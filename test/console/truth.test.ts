import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chooseIn, expectNoProblems, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

/** `streams` has the live streams of the page. */
const STREAMS = `
  window.streams = [];
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      window.streams.push(this);
    }
  };
`;

interface Held {
  /** The request has come. */
  readonly came: Promise<void>;
  readonly release: () => void;
}

/** Holds back the answers of these requests, or the requests themselves, until they are released. */
const hold = async (page: ConsolePage, url: RegExp, method: string, what: 'request' | 'answer'): Promise<Held> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let come = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(url, async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    if (what === 'request') {
      come();
      await released;
      return route.continue();
    }
    const response = await route.fetch();
    come();
    await released;
    return route.fulfill({ response });
  });
  return { came, release };
};

describe.skipIf(!browserAvailable())('what the console says while answers are late or missing', () => {
  let world: ConsoleWorld;
  let receiverId: string;
  const path = () => `/admin/stores/${world.store.id}`;
  beforeAll(async () => {
    world = await openConsoleWorld();
    const wanted = { url: `${world.works.url}/hook`, eventTypes: ['order.paid'], description: 'Warehouse' };
    const made = await world.app.admin('post', `${path()}/webhooks/subscriptions`).send(wanted).expect(200);
    receiverId = (made.body as { id: string }).id;
  });
  afterAll(() => world.close());

  const toastOf = (page: ConsolePage, text: string | RegExp) => page.getByRole('status').getByText(text);
  const button = (page: ConsolePage, name: string) => page.getByRole('button', { name, exact: true });
  const done = async (page: ConsolePage): Promise<void> => {
    expectNoProblems(page);
    await page.context().close();
  };

  it('a change that the network does not carry fails at once, and is not made later', async () => {
    const page = await world.open(`/apps/${world.installed.id}`);
    await button(page, 'Suspend the app').click();
    const dialog = page.getByRole('dialog');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Suspend the app' }).click();
    await dialog.getByText('The server cannot be reached').waitFor();
    await button(page, 'Cancel').click();
    await page.context().setOffline(false);
    await page.reload();
    await button(page, 'Suspend the app').waitFor();
    await done(page);
  });

  it('a dialog stays open while its request is under way, so that a new secret is seen', async () => {
    const page = await world.open(`/apps/${world.installed.id}`);
    await button(page, 'Rotate the client secret').click();
    const { came, release } = await hold(page, /\/rotate-client-secret|\/client-secret/, 'POST', 'answer');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
    await came;
    await page.keyboard.press('Escape');
    expect(await button(page, 'Cancel').isDisabled()).toBe(true);
    expect(await button(page, 'Close').isDisabled()).toBe(true);
    release();
    await page.getByRole('dialog').getByRole('button', { name: 'I have stored it' }).click();
    await done(page);
  });

  it('a pause is called a pause when the page has read the receiver again before the answer came', async () => {
    const page = await world.open(`/subscriptions/${receiverId}`);
    const { came, release } = await hold(page, /\/pause$/, 'POST', 'answer');
    await button(page, 'Pause').click();
    await came;
    const order = { type: 'order.paid', data: { id: 'order-1' } };
    await world.app.admin('post', `${path()}/events`).send(order).expect(202);
    await page.keyboard.press('r');
    await button(page, 'Resume').waitFor();
    release();
    await toastOf(page, 'Paused. Its deliveries wait').waitFor();
    await button(page, 'Resume').click();
    await toastOf(page, 'Resumed. What waited is sent now.').waitFor();
    await done(page);
  });

  it('another store shows nothing of the last one', async () => {
    const other = await world.app.aStore('quiet.example');
    const page = await world.open();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await world.app.importProducts(world.store, [{ name: 'Spokeshave' }]);
    const happened = page.getByRole('list', { name: 'What happened last' });
    await happened.getByText('product.created').first().waitFor();
    await chooseIn(page, 'Store', 'quiet.example');
    await page.waitForURL(new RegExp(other.id));
    await page.getByText('appear here as they happen').waitFor();
    expect(await happened.count()).toBe(0);
    await done(page);
  });

  it('a list says that nothing matches only when it has asked', async () => {
    const page = await world.open('/incidents');
    await page.getByText('No incident is open').waitFor();
    const { came, release } = await hold(page, /\/incidents\?take/, 'GET', 'request');
    await button(page, 'Last 90 days').click();
    await came;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByRole('heading', { name: /^No incident/ }).count()).toBe(0);
    release();
    await page.getByRole('heading', { name: 'No incidents' }).waitFor();
    await done(page);
  });

  it('nothing is called well that could not be read again', async () => {
    const page = await world.open();
    await page.getByText('Nothing needs you now.').waitFor();
    await page.route(/\/attention/, (route) => route.abort());
    await page.keyboard.press('r');
    await page.getByText('The server cannot be reached').first().waitFor();
    expect(await page.getByText('Nothing needs you now.').count()).toBe(0);
    const waiting = page.locator('.figure', { hasText: 'Waiting now' });
    expect(await waiting.innerText()).toMatch(/–$/);
    await done(page);
  });

  it('what a closed stream missed is read when it is open again', async () => {
    const reader = await world.app.anApp(world.store, ['read_products']);
    const asReader = world.app.api(world.store.domain, await world.app.token(reader));
    const page = await world.open();
    await page.addInitScript(STREAMS);
    await page.goto(`${page.url()}/requests`);
    await page.getByText('Live', { exact: true }).waitFor();
    // Ends the streams as a stopping server does: the page opens another one after three seconds.
    await page.evaluate('streams.forEach((stream) => { stream.close(); stream.onerror(); })');
    await page.getByText('Connection lost', { exact: true }).waitFor();
    const products = [{ id: world.productIds[0], name: 'Block plane, No. 9' }];
    await asReader('post', '/apps/catalog/products/bulk').set('Idempotency-Key', 'missed').send({ products }).expect(403);
    expect(await page.getByText('Connection lost', { exact: true }).count()).toBe(1);
    await page.getByRole('row', { name: /403 Needs write_products/ }).waitFor();
    await done(page);
  });

  it('a filter that a link takes away is gone from its field', async () => {
    const page = await world.open('/products?q=plane');
    const field = page.getByRole('searchbox', { name: 'Part of a name or SKU' });
    expect(await field.inputValue()).toBe('plane');
    await page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Catalogue' }).click();
    await page.waitForURL(/\/products$/);
    await expect.poll(() => field.inputValue()).toBe('');
    await done(page);
  });

  it('each page of an inactive store says that it is, and can activate it', async () => {
    await world.app.admin('patch', path()).send({ status: 'Inactive' }).expect(200);
    const page = await world.open();
    for (const place of ['', '/deliveries', '/products']) {
      await page.goto(`/console/stores/${world.store.id}${place}`);
      await page.getByText('This store is inactive', { exact: true }).waitFor();
    }
    await button(page, 'Activate the store').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate the store' }).click();
    await expect.poll(() => page.getByText('This store is inactive', { exact: true }).count()).toBe(0);
    await done(page);
  });
});
