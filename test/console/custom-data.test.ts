import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { browserAvailable } from '../support/launch-browser.ts';

describe.skipIf(!browserAvailable())('the custom data of a store', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await openConsoleWorld();
    const { app, store } = world;
    const definition = { name: 'Look', fields: [{ key: 'title', type: 'single_line_text' }] };
    await app.admin('put', `/admin/stores/${store.id}/metaobject-definitions/look`).send(definition).expect(200);
    for (const handle of ['spring', 'summer']) {
      const installed = await app.anApp(store, ['write_metaobjects']);
      const call = app.api(store.domain, await app.token(installed));
      await call('put', `/custom-data/metaobjects/look/entries/${handle}`)
        .send({ fields: { title: handle } })
        .expect(200);
      if (handle === 'summer') await app.admin('post', `/admin/apps/${installed.id}/uninstall`).expect(204);
    }
  });
  afterAll(() => world.close());

  it('is shown with what uninstalled apps have left, and deleted after its number was said', async () => {
    const page = await world.open('/custom-data');
    await page.getByRole('row', { name: /Look.* 1 2 1/ }).waitFor();
    await page.getByRole('link', { name: 'Look' }).click();
    await page.getByRole('row', { name: /summer.*in 2\d d/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.getByRole('link', { name: 'Export' }).getAttribute('href')).toContain('/metaobjects/look/export');
    await page.getByRole('button', { name: 'Delete summer' }).click();
    await page.getByRole('dialog').getByText('is uninstalled, and hears nothing.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the entry' }).click();
    await page.getByText('summer is deleted.', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /summer/ }).count()).toBe(0);

    await page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Custom data' }).click();
    await page.getByRole('row', { name: /Look.* 1 1 0/ }).waitFor();
    await page.getByRole('button', { name: 'Delete Look' }).click();
    await page.getByRole('dialog').getByText('1 entry of an app is deleted. Each app hears of its own.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the type' }).click();
    await page.getByText('Look is deleted, with 1 entry.', { exact: true }).waitFor();
    await page.getByText('No types yet').waitFor();
    expectNoProblems(page);
    await page.context().close();
  });
});
