import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, WIDER } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;
const FILTER = { all: [{ path: 'total', op: 'gt', value: 100 }, { origin: 'not_self' }] };

describe.skipIf(!browserAvailable())('the options of a subscription', () => {
  let world: ConsoleWorld;
  let eventId: string;
  /** An event that a later one of its product has gathered. */
  let gatheredId: string;
  const path = () => `/admin/stores/${world.store.id}`;
  beforeAll(async () => {
    world = await openConsoleWorld();
    const eventTypes = ['order.paid'];
    for (const [description, filter] of [
      ['Large orders of apps', FILTER],
      ['Orders of the shop', null],
    ])
      await world.app
        .admin('post', `${path()}/webhooks/subscriptions`)
        .send({ url: world.works.url, eventTypes, description, filter })
        .expect(200);
    const order = { type: 'order.paid', data: { id: 'order-1', total: 20 } };
    const { body } = await world.app.admin('post', `${path()}/events`).send(order).expect(202);
    ({ eventId } = body as { eventId: string });
    const event = async () => (await world.app.admin('get', `${path()}/events/${eventId}`).expect(200)).body as object;
    const gather = { quietSeconds: 60, maxSeconds: 60 };
    await world.app
      .admin('post', `${path()}/webhooks/subscriptions`)
      .send({ url: world.works.url, eventTypes: ['product.updated'], gather })
      .expect(200);
    const id = randomUUID();
    for (const name of ['One', 'Two', 'Three'])
      await world.app.admin('put', `${path()}/products/${id}`).send({ name }).expect(200);
    const changes = `${path()}/events?types=product.updated`;
    await eventually(async () => {
      const { items } = (await world.app.admin('get', changes).expect(200)).body as { items: { id: string }[] };
      gatheredId = items.at(-2)?.id ?? '';
      const found = (await world.app.admin('get', `${path()}/events/${gatheredId}`)).body as object;
      expect(found).toMatchObject({ gatheredInto: [{ gathered: 2 }] });
    });
    await eventually(async () =>
      expect(await event()).toMatchObject({
        deliveries: [{ receiver: { name: 'Orders of the shop' } }],
        notSent: [{ receiver: { name: 'Large orders of apps' }, number: 1, condition: FILTER.all[0] }],
      }),
    );
  });
  afterAll(() => world.close());

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'are tried on the newest events, and an event says which condition stopped it, at %i px in %s',
    async (width, colorScheme) => {
      const page = await world.open('/subscriptions', { colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('button', { name: 'Subscribe to events' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL of the receiver').fill(world.works.url);
      await dialog.getByLabel('order.paid').check();
      await dialog.getByLabel('Filter (optional)').fill('{"path"');
      await dialog.getByText('It must be JSON.').waitFor();
      await dialog.getByLabel('Filter (optional)').fill(JSON.stringify(FILTER));
      await dialog.getByRole('button', { name: 'Try it on the newest events' }).click();
      await dialog.getByText('0 of the 1 newest event of these types would have been sent.').waitFor();
      await dialog.getByText('Condition 1 stopped 1:').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      await dialog.getByLabel('Gather changes (optional)').fill('5');
      await dialog.getByText('Two numbers of seconds, such as 5, 60.').waitFor();
      await dialog.getByLabel('Gather changes (optional)').fill('61, 300');
      await dialog.getByRole('button', { name: 'Create the subscription' }).click();
      await dialog.getByText('Must be at most 60.').waitFor();
      await page.goto(`/console/stores/${world.store.id}/events?open=${gatheredId}`);
      await page.getByText('Gathered into').waitFor();
      await page.goto(`/console/stores/${world.store.id}/events?open=${eventId}`);
      await page.getByText('Condition 1:').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      expectNoProblems(page);
      await page.context().close();
    },
  );
});
