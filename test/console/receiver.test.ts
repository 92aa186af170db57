import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, WIDER } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { respond } from '../support/receiver.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;

describe.skipIf(!browserAvailable())('the page of a receiver', () => {
  let world: ConsoleWorld;
  let id: string;
  const path = () => `/admin/stores/${world.store.id}`;
  const order = () =>
    world.app
      .admin('post', `${path()}/events`)
      .send({ type: 'order.paid', data: { id: 'order-1' } })
      .expect(202);
  const health = async () =>
    (await world.app.admin('get', `${path()}/webhooks/subscriptions/${id}`).expect(200)).body as {
      isActive: boolean;
      url: string;
      health: { breaker: string; pausedAt: string | null };
    };
  const attempts = async (): Promise<number> =>
    (
      await world.app.database.query(
        `SELECT FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.subscription_id = '${id}'`,
      )
    ).length;

  beforeAll(async () => {
    // The second attempt is an hour away, so that what waits stays.
    world = await openConsoleWorld({ WEBHOOK_RETRY_SECONDS: '0,3600,3600' });
    const wanted = { url: `${world.works.url}/hook`, eventTypes: ['order.paid'], description: 'Warehouse in Rotterdam' };
    const made = await world.app.admin('post', `${path()}/webhooks/subscriptions`).send(wanted).expect(200);
    id = (made.body as { id: string }).id;
    await eventually(async () => expect(await attempts()).toBe(1));
    for (let n = 0; n < 3; n += 1) await order();
    await eventually(async () => expect(await attempts()).toBe(4));
    world.works.answer(respond(503, '{"error":"The warehouse is closed."}'));
    for (let n = 0; n < 11; n += 1) await order();
    await eventually(async () => expect((await health()).health.breaker).toBe('open'));
  });
  afterAll(() => world.close());

  it('says what it answers, what waits and what failed last, and a step of a chart leads to the deliveries created in it', async () => {
    const page = await world.open('/subscriptions');
    await page.getByRole('link', { name: 'Warehouse in Rotterdam' }).click();
    await page.getByRole('heading', { name: 'Warehouse in Rotterdam', level: 1 }).waitFor();
    await page.getByText('The last 10 attempts failed').waitFor();
    await page.getByRole('img', { name: /^Attempts by status in the last 24 hours/ }).waitFor();
    await page.getByRole('img', { name: /^Median and 95th percentile/ }).waitFor();
    const answers = page.locator('section', { has: page.getByRole('heading', { name: 'Answers' }) });
    await answers.getByText('503').waitFor();
    await answers.getByText('204').waitFor();
    await page.getByText('{"error":"The warehouse is closed."}').first().waitFor();
    await page.getByText('Request headers').first().click();
    await page.getByText(`webhook-subscription-id: ${id}`).waitFor();
    const chart = page.getByRole('img', { name: /^Attempts by status/ });
    const box = (await chart.boundingBox()) ?? expect.fail('no chart');
    // The last step is now.
    await chart.click({ position: { x: box.width - 24, y: box.height / 2 } });
    await page.waitForURL(/\/deliveries\?.*subscription=.*since=.*until=/);
    await page.getByRole('button', { name: /^Created: .* Remove this filter$/ }).waitFor();
    await page
      .getByRole('row', { name: /order\.paid/ })
      .first()
      .waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'has no violation that axe finds, and fits %i px in %s',
    async (width, colorScheme) => {
      const page = await world.open(`/subscriptions/${id}`, { colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('img', { name: /^Attempts by status/ }).waitFor();
      await page.getByText('{"error":"The warehouse is closed."}').first().waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expectNoProblems(page);
      await page.context().close();
    },
  );

  it('is an open incident, which the overview has first and which leads to it', async () => {
    const page = await world.open();
    const open = page.locator('section', { has: page.getByRole('heading', { name: 'Open incidents' }) });
    await open.getByRole('link', { name: 'Receiver fails: Warehouse in Rotterdam' }).waitFor();
    await open.getByText('Last error: Error in the receiver (5xx).').waitFor();
    await open.getByRole('link', { name: 'All incidents' }).click();
    await page.getByRole('row', { name: /Open.*Receiver fails.*Warehouse in Rotterdam.*deliver/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Receiver fails' }).click();
    await page.getByRole('heading', { name: 'Warehouse in Rotterdam', level: 1 }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('tries, edits, pauses, resumes and reactivates it', async () => {
    const page = await world.open(`/subscriptions/${id}`);
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('Not delivered: the receiver answered 503.').waitFor();
    world.works.answer(respond(204));
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('Delivered: the receiver answered 204').waitFor();
    expect((await health()).health.breaker).toBe('closed');
    await page.getByText('Deliverable', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('URL of the receiver').fill(`${world.works.url}/moved`);
    // A colleague changes something else meanwhile, which stays.
    await world.app
      .admin('patch', `${path()}/webhooks/subscriptions/${id}`)
      .send({ description: 'Warehouse in Delft' })
      .expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Subscription changed.').waitFor();
    expect(await health()).toMatchObject({ url: `${world.works.url}/moved`, description: 'Warehouse in Delft' });

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The merchant paused it.').waitFor();
    expect((await health()).health.pausedAt).not.toBeNull();
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();

    world.works.answer(respond(410));
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.getByText('The receiver answered 410 Gone.').waitFor();
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await health()).isActive).toBe(true);
    expectNoProblems(page);
    await page.context().close();
  });

  it('says that it does not exist when it was deleted', async () => {
    const page = await world.open('/subscriptions/019a0000-0000-7000-8000-00000000dead');
    await page.getByText('No such subscription').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});
