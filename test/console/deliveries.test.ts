import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { expectNoProblems } from '../support/browser.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { respond } from '../support/receiver.ts';

describe.skipIf(!browserAvailable())('deliveries in the console', () => {
  let world: ConsoleWorld;
  const subscribe = (url: string, eventTypes: readonly string[]) =>
    world.app
      .admin('post', `/admin/stores/${world.store.id}/webhooks/subscriptions`)
      .send({ url, eventTypes, description: 'Warehouse' })
      .expect(200);
  const changePrice = async (productId: string, name: string) => {
    const path = `/admin/stores/${world.store.id}/products/${productId}`;
    await world.app.admin('put', path).send({ name }).expect(200);
  };
  const order = (id: string) =>
    world.app.admin('post', `/admin/stores/${world.store.id}/events`).send({ type: 'order.paid', data: { id } }).expect(202);

  beforeAll(async () => {
    world = await openConsoleWorld();
    await subscribe(`${world.fails.url}/hook`, ['product.updated']);
  });

  afterAll(() => world.close());

  it('a failed delivery is found by its product, says why it failed, is sent again and arrives live', async () => {
    const [productId = ''] = world.productIds;
    await changePrice(productId, 'Block plane, low angle');
    const page = await world.open('/deliveries');
    await page.getByRole('searchbox', { name: 'Id of a product' }).fill(productId);
    await page.keyboard.press('Enter');
    await page
      .getByRole('row', { name: /Failed.*product\.updated/ })
      .getByRole('link', { name: 'product.updated' })
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('alert').getByText('Error in the receiver (5xx)').waitFor();
    await drawer.getByText('Attempt 2', { exact: true }).waitFor();
    await drawer.getByText('The warehouse is closed.').first().waitFor();

    world.fails.answer(respond(204));
    await drawer.getByRole('button', { name: 'Send again' }).click();
    // Nothing is loaded again: the page hears of it.
    await drawer.getByText('Delivered', { exact: true }).waitFor();
    await drawer.getByText('Attempt 3', { exact: true }).waitFor();
    expect(world.fails.received.at(-1)?.body.toString()).toContain(productId);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Delivered.*product\.updated/ }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('everything that a filter matches is sent again, after its count was shown', async () => {
    world.fails.answer(respond(500));
    const [, second = '', third = ''] = world.productIds;
    await changePrice(second, 'Tenon saw, fine');
    await changePrice(third, 'Marking gauge, brass');
    const page = await world.open('/deliveries?status=Failed&types=product.updated');
    const rows = page.getByRole('row', { name: /Failed.*product\.updated/ });
    await expect.poll(() => rows.count()).toBe(2);
    const before = world.fails.received.length;
    world.fails.answer(respond(204));
    await page.getByRole('button', { name: 'Send all again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Queue 2 deliveries again' }).click();
    await page.getByText('No delivery matches').waitFor();
    expect(world.fails.received.length - before).toBe(2);
    expectNoProblems(page);
    await page.context().close();
  });

  it('a count that stopped early does not say that nothing matches, and lets it be sent', async () => {
    const page = await world.open('/deliveries?status=Failed');
    const stopped = { id: null, deliveries: 0, held: [], refused: [], isComplete: false };
    await page.route('**/deliveries/redeliver', (route) => route.fulfill({ json: stopped }));
    await page.getByRole('button', { name: 'Send all again' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Queue at least 0 deliveries again' });
    await button.waitFor();
    expect(await button.isEnabled()).toBe(true);
    expect(await page.getByText('No delivery matches now.').count()).toBe(0);
    await page.context().close();
  });

  it('a delivery that comes while the page is open appears without reload', async () => {
    await subscribe(`${world.works.url}/hook`, ['order.paid']);
    const page = await world.open('/deliveries');
    await page.getByText('Live', { exact: true }).waitFor();
    await order('order-live');
    await page.getByRole('row', { name: /Delivered.*order\.paid/ }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('the filter is in the address, so that a colleague sees the same', async () => {
    const page = await world.open('/deliveries');
    await page.getByRole('button', { name: 'Waiting' }).click();
    await expect.poll(() => page.url()).toContain('status=Waiting');
    await page.reload();
    await expect.poll(() => page.getByRole('button', { name: 'Waiting' }).getAttribute('aria-pressed')).toBe('true');
    await page.context().close();
  });

  it('a value in the address that means nothing is left out', async () => {
    const page = await world.open('/deliveries?status=Lost&since=yesterday');
    await page
      .getByRole('row', { name: /product\.updated/ })
      .first()
      .waitFor();
    expect(await page.locator('.chip[aria-pressed=true]').count()).toBe(0);
    await page.goto(`/console/stores/${world.store.id}?range=century`);
    await page.getByRole('button', { name: '24h', pressed: true }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });
});
