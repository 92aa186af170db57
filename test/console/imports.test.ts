import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, describe } from 'vitest';

import { axeViolations, expectNoProblems, WIDER, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const SAMPLE = new URL('../../examples/sample-catalogue.csv', import.meta.url);

/** The frame that ends an import is held until `release()`, which hands out the last one first. The ones before it are dropped. */
const LATE_FRAMES = `
  const held = [];
  let isHeld = true;
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, listener) {
    const later = (message) => {
      if (!isHeld) listener(message);
      else if (JSON.parse(message.data).status !== 'Running') held.push(() => listener(message));
    };
    listen.call(this, kind, kind === 'import' ? later : listener);
  };
  window.heldEnds = () => held.length;
  window.release = () => {
    isHeld = false;
    for (const hand of held.reverse()) hand();
  };
`;

describe.skipIf(!browserAvailable())('the imports of a store', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await openConsoleWorld();
  });
  afterAll(() => world.close());

  const total = async (): Promise<number> => {
    const { body } = await world.app.admin('get', `/admin/stores/${world.store.id}/products`).expect(200);
    return (body as { total: number }).total;
  };
  const choose = async (page: ConsolePage, name: string, text: string): Promise<void> => {
    await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  const rows = (page: ConsolePage) => page.getByRole('region', { name: 'Imports' }).getByRole('row');

  it('a file is tried, which writes nothing, and then imported; the list says what came of it', async () => {
    const page = await world.open('/import');
    const before = await total();
    const listed = async (): Promise<number> => Math.max((await rows(page).count()) - 1, 0);
    await page.getByText('Imports of the last 90 days').waitFor();
    await expect.poll(listed).toBe(1);
    await page.getByLabel('Dry run').check();
    await choose(page, 'tried.csv', `${await readFile(SAMPLE, 'utf8')}\nbad,,,\n`);
    await page.getByText('Dry run: 30 of 31 products would be imported').waitFor();
    const figures = ['Read\n31', 'Created\n30', 'Updated\n0', 'Unchanged\n0', 'Failed\n1'];
    expect(await page.locator('.figure').allInnerTexts()).toEqual(figures);
    expect([await total(), await listed()]).toEqual([before, 1]);

    await page.getByRole('button', { name: 'Import it now' }).click();
    await page.getByText('30 of 31 products imported').waitFor();
    expect(await total()).toBe(before + 30);
    const newest = rows(page).nth(1);
    await newest.getByText('tried.csv').waitFor();
    expect(await newest.innerText()).toMatch(/With failures[^]*Owner/);
    await newest.getByText('1 failed').click();
    await newest.getByText(/^Line \d+: /).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expectNoProblems(page);
    await page.context().close();
  });

  it('a file that would remove many variants is imported when the reader has seen how many', async () => {
    const page = await world.open('/import');
    const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n';
    const sizes = Array.from(
      { length: 14 },
      (_, n) => `coat,${n === 0 ? 'Coat,Size' : ','},${String(n)},COAT-${String(n)},5,7\n`,
    );
    await choose(page, 'whole.csv', header + sizes.join(''));
    await page.getByText('1 product imported').waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, 'less.csv', header + sizes.slice(0, 2).join(''));
    const asked =
      'The import would remove 12 of 14 variants of the products in the file, with 84 units of stock. Nothing was written.';
    await page.getByText(asked).waitFor();
    expectNoProblems(page);
    await page.getByRole('button', { name: 'Import it, and remove 12 variants' }).click();
    await page.getByText('Removed 12 variants, 84 units of stock.').waitFor();
    await expect.poll(() => rows(page).nth(1).innerText()).toContain('12 variants, 84 units of stock');
    await page.context().close();
  });

  it('its own import is not taken for another one when its frames come after its answer', async () => {
    const page = await world.open('/');
    await page.addInitScript(LATE_FRAMES);
    const isFollowed = page.waitForResponse((response) => response.url().endsWith('/live'));
    await page.goto(`${page.url()}/import`);
    await isFollowed;
    await choose(page, 'own.csv', await readFile(SAMPLE, 'utf8'));
    await page.getByText('All 30 products imported').waitFor();
    await expect.poll(() => page.evaluate<number>('heldEnds()')).toBe(1);
    const path = `/admin/stores/${world.store.id}/products/import`;
    await world.app.admin('post', path).set('Content-Type', 'text/csv').send('Handle,Title\nanother,\n').expect(200);
    await expect.poll(() => page.evaluate<number>('heldEnds()')).toBe(2);
    await page.evaluate('release()');
    await page.getByRole('heading', { name: 'Another import has ended' }).waitFor();
    expect(await page.locator('.figure', { hasText: 'Read' }).allInnerTexts()).toEqual(['Read\n30', 'Read\n1']);
    expectNoProblems(page);
    await page.context().close();
  });

  it.each([
    ['light', 390],
    ['light', 1440],
    ['dark', 390],
    ['dark', 1440],
  ] as const)('are readable in the %s theme at %i pixels', async (colorScheme, width) => {
    const page = await world.open('/import', { colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await rows(page).nth(1).waitFor();
    expect(await page.evaluate<number>(WIDER)).toBeLessThanOrEqual(0);
    expect(await axeViolations(page)).toEqual([]);
    const folder = process.env['SHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/import-${colorScheme}-${String(width)}.png`, fullPage: true });
    expectNoProblems(page);
    await page.context().close();
  });
});
