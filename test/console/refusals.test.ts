import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { TestApp } from '../support/app.ts';
import { axeViolations, chooseIn, expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

const BULK = '/apps/catalog/products/bulk';

describe.skipIf(!browserAvailable())('why a call was refused, and whether a write happened once', () => {
  let world: ConsoleWorld;
  let reader: TestApp;
  /** Renames the first product as the app does. */
  const rename = async (app: TestApp, key: string, name: string) => {
    const call = world.app.api(world.store.domain, await world.app.token(app));
    return call('post', BULK)
      .set('Idempotency-Key', key)
      .send({ products: [{ id: world.productIds[0], name }] });
  };

  beforeAll(async () => {
    world = await openConsoleWorld();
    reader = await world.app.anApp(world.store, ['read_products']);
    await world.app.admin('patch', `/admin/apps/${reader.id}`).send({ name: 'Stock sync' }).expect(200);
  });

  afterAll(() => world.close());

  it('a 403 appears while the page is open, names the missing scope, and leads to the app, where it is granted', async () => {
    const page = await world.open('/requests');
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await rename(reader, 'refused-1', 'Block plane, No. 9')).status).toBe(403);
    const row = page.getByRole('row', { name: /403 Needs write_products.*Stock sync/ });
    await row.getByRole('link', { name: 'Needs write_products' }).click();
    const drawer = page.getByRole('dialog', { name: `POST ${BULK}` });
    const step = drawer.locator('[aria-current=step]');
    await step.getByText('The route needs the scope write_products, which the app did not have.').waitFor();
    await step.getByText('read_products', { exact: true }).waitFor();
    await step.getByRole('link', { name: 'Change the scopes of Stock sync' }).click();

    await page.getByRole('heading', { name: 'Stock sync', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Change the scopes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'write_products' }).check();
    await dialog.getByRole('button', { name: 'Change the scopes' }).click();
    await page.getByText('Scopes changed.').waitFor();
    expect((await rename(reader, 'refused-1', 'Block plane, No. 9')).status).toBe(200);

    await page.goBack();
    await page.getByRole('dialog').getByText('was granted since then').waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a key shows that the work was done once, what was replayed and refused, and the event that it caused', async () => {
    const key = 'nightly-2026-11-22';
    expect((await rename(world.installed, key, 'Block plane, iron')).status).toBe(200);
    expect((await rename(world.installed, key, 'Block plane, iron')).headers['idempotent-replay']).toBe('true');
    expect((await rename(world.installed, key, 'Another name')).status).toBe(422);
    const page = await world.open('/keys');
    await chooseIn(page, 'App', 'App');
    await page.getByLabel('Idempotency-Key').fill(key);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('The work was done once, and its response is remembered.').waitFor();
    await page.getByText('1 got the remembered response').waitFor();
    await page.getByText('1 422 for another request').waitFor();
    await page.getByText('0 409 while it was running').waitFor();
    // A colleague who gets the address sees the same.
    await page.reload();
    await page.getByText('1 got the remembered response').waitFor();
    const caused = page.getByRole('heading', { name: '1 event that it caused' });
    await caused.locator('xpath=../..').getByRole('link').click();
    await page.getByRole('dialog', { name: 'product.updated' }).getByText('Block plane, iron').first().waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a call that is sent twice in "Try it" shows its replay, and leads to the life of its key', async () => {
    const page = await world.open('/try');
    await chooseIn(page, 'App', 'App');
    await page.getByLabel('Call', { exact: true }).selectOption({ label: 'Update products in bulk' });
    const body = page.getByLabel('Body', { exact: true });
    await body.fill(JSON.stringify({ products: [{ id: world.productIds[1], name: 'Tenon saw, 14 inch' }] }));
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await page.getByText('"Updated"').waitFor();
    expect(await page.getByText('The same response again').count()).toBe(0);
    await send.click();
    await page.getByText('The same response again').waitFor();
    await page.getByText('Idempotent-Replay: true').waitFor();
    await page.getByText('did the work').waitFor();
    await page.getByRole('link', { name: 'History of the key' }).click();
    await page.getByText('1 got the remembered response').waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('a call that is refused in "Try it" leads to its reason', async () => {
    const page = await world.open(`/try?app=${world.installed.id}`);
    await page.getByLabel('Call', { exact: true }).selectOption({ label: 'Update products in bulk' });
    await page.getByLabel('Body', { exact: true }).fill('{"products":');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('400', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Why was it refused?' }).click();
    await page
      .getByRole('dialog', { name: `POST ${BULK}` })
      .getByText('Refused here')
      .waitFor();
    expectNoProblems(page);
    await page.context().close();
  });

  it('on a phone, 300 requests of one kind are one row, and the filters are in a sheet', async () => {
    await world.app.database.query(
      `INSERT INTO request_log (store_id, request_id, at, installation_id, route, status, code, reason, "check", duration_ms)
       SELECT $1, gen_random_uuid(), now() - n * interval '1 second', $2, 'GET /apps/events', 429, 'rate_limited', 'rate_limited', 'rate', 1
       FROM generate_series(1, 300) n`,
      [world.store.id, reader.id],
    );
    const page = await world.open('/requests');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('link', { name: '299 like it' }).waitFor();
    const status = page.getByLabel('Status');
    expect(await status.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    expect(await axeViolations(page)).toEqual([]);
    await status.selectOption('429');
    // A list within the sheet does not close it.
    await chooseIn(page, 'App', 'Stock sync');
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.getByRole('button', { name: 'Filters (2)' }).waitFor();
    expect(await status.isVisible()).toBe(false);
    await page.getByRole('link', { name: '299 like it' }).click();
    await page.getByText('50 requests on this page').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await status.inputValue()).toBe('429');
    expect(await status.isVisible()).toBe(true);
    expectNoProblems(page);
    await page.context().close();
  });
});
