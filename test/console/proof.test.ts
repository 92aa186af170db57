import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { INVARIANT_NAMES, INVARIANTS } from '../../src/domain/insight/invariants.ts';
import { expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { eventually } from '../support/eventually.ts';

const COUNT = INVARIANT_NAMES.length;

describe.skipIf(!browserAvailable())('the proof in the console', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    // The second attempt is far away: the delivery stays pending.
    world = await openConsoleWorld({ WEBHOOK_RETRY_SECONDS: '0,86400' });
    const path = `/admin/stores/${world.store.id}`;
    await world.app
      .admin('post', `${path}/webhooks/subscriptions`)
      .send({ url: `${world.fails.url}/hook`, eventTypes: ['order.paid'] })
      .expect(200);
    await world.app
      .admin('post', `${path}/events`)
      .send({ type: 'order.paid', data: { id: 'order-1' } })
      .expect(202);
    await world.fails.next();
    await eventually(async () => {
      expect(await planned()).toEqual([{ status: 'Pending', attempts: 1, id: expect.any(String) as string }]);
    });
  });

  afterAll(() => world.close());

  /** The delivery that waits for its second attempt. */
  const planned = () =>
    world.app.database.query<{ id: string }>(
      `SELECT d.id::text, d.status, d.attempts FROM deliveries d JOIN events e ON e.store_id = d.store_id AND e.id = d.event_id
       WHERE e.type = 'order.paid'`,
    );

  it('every statement is true, and says so', async () => {
    const page = await world.open('/proof');
    await page.getByText(`All ${COUNT} statements are true`).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    const statements = page.locator('.invariants > li');
    expect(await statements.getByText('True', { exact: true }).count()).toBe(COUNT);
    for (const statement of Object.values(INVARIANTS)) await page.getByText(statement).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a violation is red and the first, and its id leads to the delivery', async () => {
    const page = await world.open('/proof');
    await page.getByText(`All ${COUNT} statements are true`).waitFor();
    const [{ id } = { id: '' }] = await planned();
    await world.app.database.query('DELETE FROM delivery_queue WHERE delivery_id = $1', [id]);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('alert').getByText(`1 of ${COUNT} statements is violated`).waitFor();
    const first = page.locator('.invariants > li').first();
    await first.getByText('Violated', { exact: true }).waitFor();
    await first.getByText(INVARIANTS.pending_queued).waitFor();
    await first.getByText('1 violation, for example this delivery:').waitFor();
    expect(await page.getByText('Violated', { exact: true }).count()).toBe(1);
    await first.getByRole('link', { name: id }).click();
    await page.getByRole('dialog', { name: 'order.paid' }).getByText(id, { exact: true }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });
});
