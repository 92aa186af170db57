import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, WIDER, type ConsolePage } from '../support/browser.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { eventually } from '../support/eventually.ts';

const PAGES = [
  '',
  '/incidents',
  '/events',
  '/deliveries',
  '/subscriptions',
  '/requests',
  '/keys',
  '/apps',
  '/products',
  '/import',
  '/warehouses',
  '/media',
  '/try',
  '/proof',
  '/changes',
  '/search?q=order',
] as const;
/** Drawers over a list: the path, and the query of the id that it shows. */
const DETAILS = [
  ['a delivery', 'deliveries?open=', "deliveries WHERE status <> 'Dropped'"],
  ['an event', 'events?open=', "events WHERE type = 'order.paid'"],
  ['a receiver', 'subscriptions/', 'subscriptions'],
  ['a refused request', 'requests?open=', 'request_log'],
  ['an app', 'apps/', 'installations'],
  ['a product', 'products/', 'products'],
] as const;
const WIDTHS = [390, 1280] as const;
const THEMES = ['light', 'dark'] as const;

describe.skipIf(!browserAvailable())('every page of the console', () => {
  let world: ConsoleWorld;
  let page: ConsolePage;

  beforeAll(async () => {
    world = await openConsoleWorld();
    const path = `/admin/stores/${world.store.id}`;
    await world.app
      .admin('post', `${path}/webhooks/subscriptions`)
      .send({ url: `${world.fails.url}/hook`, eventTypes: ['order.paid'] })
      .expect(200);
    await world.app
      .admin('post', `${path}/events`)
      .send({ type: 'order.paid', data: { id: 'order-1' } })
      .expect(202);
    const call = world.app.api(world.store.domain, await world.app.token(world.installed));
    await call('post', '/apps/catalog/products/bulk').send({}).expect(400);
    page = await world.open();
  });

  afterAll(() => world.close());

  const expectNoViolation = async (path: string): Promise<void> => {
    await page.goto(`/console/stores${path}`);
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    for (const width of WIDTHS) {
      for (const colorScheme of THEMES) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page), `${width} px, ${colorScheme}`).toEqual([]);
      }
      const wider = await page.evaluate<number>(WIDER);
      expect(wider, `${width} px`).toBeLessThanOrEqual(0);
    }
    expectNoProblems(page);
  };

  it.each(PAGES)('%s has no violation that axe-core finds, in both themes, at 390 and at 1,280 px', (path) =>
    expectNoViolation(`/${world.store.id}${path}`),
  );

  it.each(['/../nowhere', '/nowhere/at/all', '/../019a0000-0000-7000-8000-00000000dead'])(
    'an address without a page has no violation, and leads to the pages: %s',
    async (path) => {
      await expectNoViolation(path);
      await page.getByRole('link', { name: 'See all stores' }).click();
      await page.getByRole('heading', { name: 'Stores' }).waitFor();
    },
  );

  it('the list of stores has no violation', () => expectNoViolation(''));

  it.each(DETAILS)('%s has no violation', async (_name, path, rows) => {
    const column = rows === 'request_log' ? 'request_id' : 'id';
    const found = await eventually(async () => {
      const [row] = await world.app.database.query<{ id: string }>(`SELECT ${column}::text AS id FROM ${rows} LIMIT 1`);
      return row ?? expect.fail(`there is no row of ${rows}`);
    });
    await expectNoViolation(`/${world.store.id}/${path}${found.id}`);
    if (path.endsWith('=')) expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('the sign-in page has no violation', async () => {
    const outside = await openPage(world.browser, world.app.adminUrl);
    await outside.goto('/console/');
    await outside.getByLabel('Admin token').waitFor();
    for (const colorScheme of THEMES) {
      await outside.emulateMedia({ colorScheme });
      expect(await axeViolations(outside)).toEqual([]);
    }
    expectNoProblems(outside);
  });
});
