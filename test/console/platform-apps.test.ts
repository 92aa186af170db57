import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const WIDTHS = [390, 1440] as const;
/** By how much the page is wider than its window. */
const WIDER = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(!browserAvailable())('platform apps', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await openConsoleWorld();
  });
  afterAll(() => world.close());

  it('are registered with their secrets shown once, rotated, and suspended on every store', async () => {
    const page = await world.open('', {});
    await page.goto('/console/stores');
    await page.getByRole('link', { name: 'Platform apps' }).click();
    await page.getByText('No platform apps yet').waitFor();
    await page.getByRole('button', { name: 'Register an app' }).click();
    const form = page.getByRole('dialog', { name: 'Register a platform app' });
    await form.getByLabel('Name', { exact: true }).fill('Stock sync');
    await form.getByLabel('Redirect URLs').fill('http://stock.example.com/installed');
    await form
      .getByRole('group', { name: 'Required scopes' })
      .getByLabel(/^write_inventory/)
      .check();
    await form
      .getByRole('group', { name: 'Optional scopes' })
      .getByLabel(/^read_orders/)
      .check();
    await form.getByRole('button', { name: 'Register the app' }).click();
    await form.getByText('A redirect URL must be an https URL.').waitFor();
    await form.getByLabel('Redirect URLs').fill('https://stock.example.com/installed\nhttps://stock.example.com/again');
    await form.getByRole('button', { name: 'Register the app' }).click();

    const secrets = page.getByRole('dialog', { name: 'Stock sync is registered' });
    const first = (await secrets.locator('code', { hasText: 'tnn_cs_' }).textContent()) ?? '';
    await secrets.getByRole('button', { name: 'I have stored them' }).click();
    const drawer = page.getByRole('dialog', { name: 'Stock sync' });
    await drawer.getByText('https://stock.example.com/again').waitFor();
    const { body } = await world.app.admin('get', '/admin/platform-apps').expect(200);
    expect(body).toMatchObject({ items: [{ name: 'Stock sync', scopes: ['write_inventory'], optionalScopes: ['read_orders'] }] });
    expect(await page.content()).not.toContain(first);

    await drawer.getByRole('button', { name: 'Rotate the client secret' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    const rotated = page.getByRole('dialog', { name: 'New client secret' });
    expect(await rotated.locator('code', { hasText: 'tnn_cs_' }).textContent()).not.toBe(first);
    await rotated.getByRole('button', { name: 'I have stored it' }).click();
    await drawer.getByText('The old secret ends in').waitFor();

    await drawer.getByRole('button', { name: 'Suspend on every store' }).click();
    const asked = page.getByRole('dialog', { name: 'Suspend on every store: Stock sync' });
    await asked.getByRole('button', { name: 'Suspend on every store' }).click();
    await drawer.getByRole('button', { name: 'Resume on every store' }).waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeViolations(page), `${String(width)} px`).toEqual([]);
      expect(await page.evaluate<number>(WIDER), `${String(width)} px`).toBeLessThanOrEqual(0);
    }
  });

  it('are not offered to an operator who is limited to some stores', async () => {
    const path = '/admin/operators';
    const limited = { name: 'Grace Hopper', role: 'operator', storeIds: [world.store.id] };
    const { body } = await world.app.admin('post', path).send(limited).expect(201);
    const link = await world.app.admin('post', `${path}/${(body as { id: string }).id}/links`).expect(201);
    const page = await openPage(world.browser, world.app.adminUrl);
    await page.goto((link.body as { path: string }).path);
    await page.getByRole('button', { name: 'Sign in as Grace Hopper' }).click();
    await page.locator('.signed-in').waitFor();
    await page.goto('/console/stores');
    await page.getByRole('heading', { name: 'Stores', level: 1 }).waitFor();
    await page.locator('.signed-in').waitFor();
    expect(await page.getByRole('link', { name: 'Platform apps' }).count()).toBe(0);
    expectNoProblems(page);
  });
});
