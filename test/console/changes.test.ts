import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

describe.skipIf(!browserAvailable())('the changes of a store', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await openConsoleWorld();
    await world.app.admin('patch', `/admin/stores/${world.store.id}`).send({ name: 'Renamed shop' }).expect(200);
  });
  afterAll(() => world.close());

  it('a change says who asked for it, over which way, and what was there before and after', async () => {
    const page = await world.open('/changes');
    await page.getByRole('row', { name: /Change a store.*Owner.*API.*200/ }).waitFor();
    await page.getByRole('link', { name: 'Change a store' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'After' }).waitFor();
    expect(await drawer.locator('section', { hasText: 'Before' }).first().textContent()).not.toContain('Renamed shop');
    expect(await drawer.locator('section', { hasText: 'After' }).last().textContent()).toContain('Renamed shop');
    await drawer.getByText('127.0.0.1').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expectNoProblems(page);
    await page.context().close();
  });
});
