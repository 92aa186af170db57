import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage, signIn, WIDER, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;
const ELSEWHERE = '019a0000-0000-7000-8000-00000000cafe';

describe.skipIf(!browserAvailable())('the prices and the stock of a product', () => {
  let world: ConsoleWorld;
  let productId: string;
  let named = 0;
  let sku: string;
  const admin = (path: string) => world.app.admin('get', `/admin/stores/${world.store.id}${path}`);
  const variant = async () => {
    const { body } = await admin(`/products/${productId}`).expect(200);
    return (body as { variants: { price: number; compareAtPrice: number | null; inventory: { available: number }[] }[] })
      .variants[0];
  };
  const bulk = (stock: object) =>
    world.app
      .admin('post', `/admin/stores/${world.store.id}/variants/bulk`)
      .set('Idempotency-Key', `key ${String((named += 1))}`)
      .send({ variants: [{ sku, stock: [{ warehouseId: world.store.id, ...stock }] }] })
      .expect(200);
  const open = (options?: BrowserContextOptions): Promise<ConsolePage> => world.open(`/products/${productId}`, options);
  const dialogOf = async (page: ConsolePage) => {
    await page.getByRole('button', { name: `Edit ${sku}` }).click();
    return page.getByRole('dialog', { name: `Prices and stock of ${sku}` });
  };
  const ended = async (page: ConsolePage): Promise<void> => {
    expectNoProblems(page);
    await page.context().close();
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    sku = `SAW-${String((named += 1))}`;
    const inventory = [
      { available: 12, reserved: 2 },
      { warehouseId: ELSEWHERE, available: 3 },
    ];
    const document = { name: sku, variants: [{ sku, currency: 'EUR', price: 59.9, inventory }] };
    productId = (await world.app.importProducts(world.store, [document])).at(-1) ?? '';
  });

  it('are shown by location, and an operator changes them', async () => {
    const page = await open();
    const table = page.getByRole('region', { name: 'Variants' });
    await table.getByRole('row', { name: 'Default 12 2' }).waitFor();
    await table.getByRole('row').nth(2).getByRole('cell', { name: '3', exact: true }).first().waitFor();
    const dialog = await dialogOf(page);
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel('Price in EUR', { exact: true }).fill('49.50');
    await dialog.getByLabel('Price before in EUR').fill('59.90');
    await dialog.getByLabel('Change').first().selectOption({ label: 'Set it to' });
    await dialog.getByLabel('Available from now on').fill('20');
    await dialog.getByText('12 → 20 available').waitFor();
    await dialog.getByLabel('Change').nth(1).selectOption({ label: 'Add or remove' });
    const removed = dialog.getByLabel('How many, or less with a minus');
    await removed.fill('-4');
    await dialog.getByText('Only 3 are available.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await removed.fill('-1');
    await save.click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await table.getByRole('row', { name: 'Default 20 2' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await variant()).toMatchObject({
      price: 49.5,
      compareAtPrice: 59.9,
      inventory: [{ available: 20 }, { available: 2 }],
    });
    await ended(page);
  });

  it('are not overwritten where the stock is another by now: the present figures are shown, and saved when asked again', async () => {
    const page = await open();
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Change').first().selectOption({ label: 'Set it to' });
    await dialog.getByLabel('Available from now on').fill('20');
    await dialog.getByText('12 → 20 available').waitFor();
    await bulk({ adjust: -5 });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('The stock has changed since you opened it').waitFor();
    await dialog.getByText('7 → 20 available').waitFor();
    expect(await variant()).toMatchObject({ inventory: [{ available: 7 }, { available: 3 }] });
    await dialog.getByRole('button', { name: 'Save again' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await variant()).toMatchObject({ inventory: [{ available: 20 }, { available: 3 }] });
    await ended(page);
  });

  it('are changed once, although the answer was lost and the reader saves again', async () => {
    const page = await open();
    const keys: (string | undefined)[] = [];
    await page.route('**/variants/bulk', async (route) => {
      keys.push((await route.request().headerValue('idempotency-key')) ?? undefined);
      const answer = await route.fetch();
      await (keys.length === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer }));
    });
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Change').first().selectOption({ label: 'Add or remove' });
    await dialog.getByLabel('How many, or less with a minus').fill('-2');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(await variant()).toMatchObject({ inventory: [{ available: 10 }, { available: 3 }] });
    await page.context().close();
  });

  it('a price that the server refuses is said in the dialog, and a viewer sees no button', async () => {
    const page = await open();
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Price in EUR', { exact: true }).fill('a lot');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('price must be').waitFor();
    expect(await variant()).toMatchObject({ price: 59.9 });
    await ended(page);

    const made = await world.app
      .admin('post', '/admin/operators')
      .send({ name: `Vi ${sku}`, role: 'viewer' })
      .expect(201);
    const { id } = made.body as { id: string };
    const issued = await world.app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'Vi' }).expect(201);
    const viewer = await openPage(world.browser, world.app.adminUrl);
    await signIn(viewer, (issued.body as { token: string }).token);
    await viewer.goto(`/console/stores/${world.store.id}/products/${productId}`);
    await viewer.getByRole('row', { name: 'Default 12 2' }).waitFor();
    expect(await viewer.getByRole('button', { name: `Edit ${sku}` }).count()).toBe(0);
    await ended(viewer);
  });

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'can be read and changed by anyone, at %i px in %s',
    async (width, colorScheme) => {
      const page = await open({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // On a phone a row is a card, which names its columns.
      await page.getByRole('row', { name: /Default.* 12 .*2/ }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      const dialog = await dialogOf(page);
      await dialog.getByLabel('Change').first().selectOption({ label: 'Set it to' });
      await dialog.getByLabel('Available from now on').fill('20');
      await bulk({ adjust: -1 });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('11 → 20 available').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(WIDER)).toBeLessThanOrEqual(0);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await ended(page);
    },
  );
});
