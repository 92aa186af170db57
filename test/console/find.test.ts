import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, chooseIn, expectNoProblems, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const STORES = 1_002;
const APPS = 271;

describe.skipIf(!browserAvailable())('finding at any size', () => {
  let world: ConsoleWorld;
  let page: ConsolePage;
  const url = () => page.evaluate<string>('location.pathname + location.search');
  const rows = (table: string) => page.getByRole('region', { name: table }).locator('tbody tr');

  beforeAll(async () => {
    world = await openConsoleWorld();
    const { id } = world.store;
    await world.app.database.query(
      `INSERT INTO stores (id, domain, name, currency, created_at)
       SELECT gen_random_uuid(), 'shop-' || n || '.example', 'Shop ' || n, 'EUR', now() + n * interval '1 ms' FROM generate_series(2, ${STORES}) n`,
    );
    await world.app.database.query(
      `INSERT INTO installations (store_id, id, name, client_id, scopes, created_at)
       SELECT '${id}', gen_random_uuid(), 'Installed app ' || n, 'tnc_' || n, ARRAY['read_products'], now() + n * interval '1 ms' FROM generate_series(2, ${APPS}) n`,
    );
    await world.app.database.query(
      `INSERT INTO installations (store_id, id, name, client_id, scopes, created_at) VALUES
       ('${id}', 'adaa8c25-0000-4000-8000-000000000001', 'Mailer', 'tnc_ada', ARRAY['read_products'], now()),
       ('${id}', gen_random_uuid(), 'Canada orders', 'tnc_x', ARRAY['read_products'], now()),
       ('${id}', gen_random_uuid(), 'Ada stock sync', 'tnc_y', ARRAY['read_products'], now() + interval '1 day')`,
    );
    page = await world.open();
  });
  afterAll(() => world.close());

  it('store 999 of 1,002 is found by its name on the page of stores, and each page leads to the next', async () => {
    await page.goto('/console/stores');
    await page.getByText(`50 of ${STORES.toLocaleString('en')} stores`).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Shop 51', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('shop 999');
    await page.getByText('1 store', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Shop 999', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expectNoProblems(page);
  });

  it('the store menu leads to store 999 by the keyboard alone', async () => {
    await page.goto(`/console/stores/${world.store.id}`);
    const menu = page.getByRole('combobox', { name: 'Store', exact: true });
    // The menu shows the present store once its name has come. What is typed before would be replaced by it.
    await expect.poll(() => menu.inputValue()).not.toBe('');
    await menu.focus();
    await page.keyboard.type('shop-999.');
    await page.getByRole('option', { name: 'Shop 999' }).waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    expect(await menu.getAttribute('aria-activedescendant')).toBe(await page.getByRole('option').first().getAttribute('id'));
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => menu.inputValue()).toBe('Shop 999');
    expect(await url()).not.toContain(world.store.id);
    // Escape leaves what is chosen.
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'All stores' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    expect(await menu.inputValue()).toBe('Shop 999');
    expectNoProblems(page);
  });

  it('the 271st app is found on the page of apps, in every App field, and named by its id', async () => {
    await page.goto(`/console/stores/${world.store.id}/apps?q=app 271`);
    await page.getByRole('link', { name: 'Installed app 271' }).waitFor();
    await expect.poll(() => rows('Apps').count()).toBe(1);
    await page.goto(`/console/stores/${world.store.id}/deliveries`);
    await chooseIn(page, 'App', 'app 271');
    await expect.poll(() => page.getByRole('combobox', { name: 'App', exact: true }).inputValue()).toBe('Installed app 271');
    // A colleague who gets the address sees the name.
    await page.reload();
    await expect.poll(() => page.getByRole('combobox', { name: 'App', exact: true }).inputValue()).toBe('Installed app 271');
    // A word that begins with the text is before a part of a word, and an id is not searched for so little of it.
    await page.getByRole('combobox', { name: 'App', exact: true }).fill('ada');
    await page.getByRole('option', { name: 'Ada stock sync' }).waitFor();
    expect(await page.getByRole('listbox', { name: 'App', exact: true }).getByRole('option').allTextContents()).toEqual([
      'Ada stock sync',
      'Canada orders',
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('combobox', { name: 'App', exact: true }).inputValue()).toBe('Ada stock sync');
    for (const path of ['requests', 'keys', 'media', 'try']) {
      await page.goto(`/console/stores/${world.store.id}/${path}`);
      await chooseIn(page, 'App', 'app 271');
      await expect.poll(url).toContain('app=');
    }
    expectNoProblems(page);
  });
});
