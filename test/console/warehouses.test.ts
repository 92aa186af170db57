import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const NORTH = '019a0000-0000-7000-8000-0000000000a1';

describe.skipIf(!browserAvailable())('the warehouses of a store', () => {
  let world: ConsoleWorld;
  let product: string;
  const named = async () => {
    const { body } = await world.app.admin('get', `/admin/stores/${world.store.id}/warehouses`).expect(200);
    return (body as { items: { id: string }[] }).items.find(({ id }) => id === NORTH);
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
    const inventory = [{ available: 12 }, { warehouseId: NORTH, available: 3 }];
    const document = { name: 'Plane', variants: [{ sku: 'PLANE-9', currency: 'EUR', inventory }] };
    product = (await world.app.importProducts(world.store, [document])).at(-1) ?? '';
  });
  afterAll(() => world.close());

  it('are named by an operator, after a fault is said beside its field, and the stock shows the name', async () => {
    const page = await world.open('/warehouses');
    await page.getByRole('button', { name: `Edit ${NORTH}` }).click();
    const dialog = page.getByRole('dialog', { name: `Warehouse ${NORTH}` });
    const save = dialog.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('North');
    await dialog.getByLabel('Country (optional)').fill('xx');
    await save.click();
    await dialog.getByText('Must be a country of ISO 3166-1 alpha-2, such as DE, and "XX" is not one.').waitFor();
    await dialog.getByLabel('Country (optional)').fill('de');
    await save.click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^North Edit North.*DE/ }).waitFor();
    expect(await named()).toEqual({ id: NORTH, name: 'North', code: null, country: 'DE' });

    await page.goto(`/console/stores/${world.store.id}/products/${product}`);
    const table = page.getByRole('region', { name: 'Variants' });
    await table.getByRole('row', { name: /North.* 3 0 3/ }).waitFor();
    await page.getByRole('button', { name: 'Edit PLANE-9' }).click();
    await page.getByRole('group', { name: /Stock at North/ }).waitFor();
    expectNoProblems(page);
    await page.context().close();
  });
});
