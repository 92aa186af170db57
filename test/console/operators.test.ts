import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, WIDER, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;

describe.skipIf(!browserAvailable())('operators', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await openConsoleWorld();
    await world.app.admin('post', '/admin/operators').send({ name: 'Grace Hopper', role: 'operator' }).expect(201);
  });
  afterAll(() => world.close());

  const openOperators = async (colorScheme: (typeof THEMES)[number] = 'light'): Promise<ConsolePage> => {
    const page = await world.open('', { colorScheme });
    await page.goto('/console/operators');
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor();
    return page;
  };

  it('an owner adds a viewer, who signs in by the link, sees the store and may change nothing', async () => {
    const page = await openOperators();
    await page.getByRole('button', { name: 'Add an operator' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Add the operator' }).click();
    const drawer = page.getByRole('dialog', { name: 'Ada Lovelace' });
    await drawer.getByRole('button', { name: 'Create a sign-in link' }).click();
    const link = (await drawer.locator('code', { hasText: '#code=' }).textContent()) ?? '';

    const hers = await openPage(world.browser, world.app.adminUrl);
    await hers.goto(link);
    await hers.getByRole('button', { name: 'Sign in as Ada Lovelace' }).click();
    await hers.getByRole('button', { name: 'Sign out' }).waitFor();
    await hers.getByText('Ada Lovelace').waitFor();
    const owner = await world.open();
    for (const [path, title, change] of [
      ['/apps', 'Apps', 'Install an app'],
      ['/subscriptions', 'Subscriptions', 'Send a test event'],
      ['/deliveries', 'Deliveries', 'Send all again'],
      ['/products', 'Catalogue', 'Import'],
    ] as const) {
      const show = async (reader: ConsolePage) => {
        await reader.goto(`/console/stores/${world.store.id}${path}`);
        await reader.getByRole('heading', { name: title, level: 1 }).waitFor();
        await reader.locator('.signed-in').waitFor();
        return reader.locator('main').getByText(change, { exact: true });
      };
      await (await show(owner)).waitFor();
      expect([path, await (await show(hers)).count()]).toEqual([path, 0]);
    }

    await drawer.getByRole('button', { name: 'End the operator' }).click();
    await page.getByRole('dialog', { name: 'End Ada Lovelace' }).getByRole('button', { name: 'End the operator' }).click();
    await page.getByText('Ada Lovelace has no access any more.').waitFor();
    await hers.goto(`/console/stores/${world.store.id}/apps`);
    await hers.getByRole('button', { name: 'Sign in' }).waitFor();
    await hers.context().close();
    await owner.context().close();
    await page.context().close();
  });

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'have no violation that axe finds, and fit %i px in %s',
    async (width, colorScheme) => {
      const page = await openOperators(colorScheme);
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('row', { name: /Active.*Grace Hopper.*Operator.*All stores/ }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await page.getByRole('dialog', { name: 'Grace Hopper' }).getByText('A person signs in with a link instead.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expectNoProblems(page);
      await page.context().close();
    },
  );
});
