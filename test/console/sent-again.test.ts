import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chooseIn, expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { respond } from '../support/receiver.ts';

describe.skipIf(!browserAvailable())('what the console says in an outage', () => {
  let world: ConsoleWorld;
  const subscribe = async (url: string, description: string): Promise<string> => {
    const wanted = { url, eventTypes: ['order.paid'], description };
    const path = `/admin/stores/${world.store.id}/webhooks/subscriptions`;
    return ((await world.app.admin('post', path).send(wanted).expect(200)).body as { id: string }).id;
  };
  const order = (id: string) =>
    world.app.admin('post', `/admin/stores/${world.store.id}/events`).send({ type: 'order.paid', data: { id } }).expect(202);
  const idOf = (subscriptionId: string, condition: string): Promise<string> =>
    eventually(async () => {
      const [row] = await world.app.database.query<{ id: string }>(
        `SELECT id::text FROM deliveries WHERE subscription_id = '${subscriptionId}' AND ${condition} ORDER BY id LIMIT 1`,
      );
      return row?.id ?? expect.fail(`no delivery is ${condition}`);
    });

  beforeAll(async () => {
    world = await openConsoleWorld();
  });
  afterAll(() => world.close());

  it('a receiver that is paused has a name, what waits for it is counted, and "sent again" is not said of it', async () => {
    const paused = await subscribe(`${world.fails.url}/hook`, 'Warehouse in Rotterdam');
    // Failed before the others come: the ten failures that pause a receiver may be of ten deliveries, each with tries left.
    await order('order-first');
    const failed = await idOf(paused, "status = 'Failed'");
    for (let number = 0; number < 12; number += 1) await order(`order-${number}`);
    await eventually(async () => {
      const found = await world.app.database.query(`SELECT FROM subscriptions WHERE id = '${paused}' AND probe_at IS NOT NULL`);
      expect(found).toHaveLength(1);
    });
    const page = await world.open();
    await page.getByRole('link', { name: 'Warehouse in Rotterdam' }).waitFor();
    await page.getByText(/of \d+ failed$/).waitFor();
    await page.goto(`/console/stores/${world.store.id}/deliveries?open=${failed}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Send again' }).click();
    // Above the drawer, and within it: a screen reader hears nothing from outside.
    await drawer.getByRole('status').getByText('Not sent now: the receiver is paused').waitFor();
    await drawer.getByText('Waiting: the receiver is paused').waitFor();
    expect(await drawer.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
    await page.goto(`/console/stores/${world.store.id}/deliveries`);
    await chooseIn(page, 'Receiver', 'Warehouse in Rotterdam');
    await page.getByRole('button', { name: 'Receiver: Warehouse in Rotterdam' }).waitFor();
    await page
      .getByRole('row', { name: /Waiting.*Warehouse in Rotterdam.*the receiver is paused/ })
      .first()
      .waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a delivery to a deactivated subscription says that it cannot be sent, and why', async () => {
    world.works.answer(respond(410));
    const gone = await subscribe(`${world.works.url}/old`, 'Old shop');
    const failed = await idOf(gone, "status = 'Failed'");
    const page = await world.open(`/deliveries?subscription=${gone}&status=Failed`);
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('1 delivery cannot be sent. The subscription is deactivated.').waitFor();
    await page.goto(`/console/stores/${world.store.id}/deliveries?open=${failed}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Not sent: The subscription is deactivated.').waitFor();
    await page.goto(`/console/stores/${world.store.id}/subscriptions?open=${gone}`);
    await page.getByText('The receiver answered 410 Gone.').waitFor();
    expectNoProblems(page);
    await page.context().close();
  });
});
