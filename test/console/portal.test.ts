import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { axeViolations, expectNoProblems, openPage } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';

describe.skipIf(!browserAvailable())('the console of an app', () => {
  let app: OpenApp;
  let installed: TestApp;
  let base = '';
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  beforeAll(async () => {
    app = await openApp({ APP_CONSOLE: 'on' });
    // The browser finds the store by its host name, as it finds any other.
    const store = await app.aStore('localhost');
    installed = await app.anApp(store);
    await app.importProducts(store, [{ name: 'Block plane', variants: [{ sku: 'bp', currency: 'EUR', price: 10 }] }]);
    base = app.url.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('a developer signs in with the credentials of the app, sees its pages alone, and calls its API twice', async () => {
    const page = await openPage(browser, base);
    await page.goto('/apps/console/');
    await page.getByLabel('Client id').fill(installed.clientId);
    await page.getByLabel('Client secret').fill(installed.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Pages of the store' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['App', 'Events', 'Deliveries', 'Subscriptions', 'Try it']);
    for (const name of await links.allTextContents()) {
      await links.getByText(name, { exact: true }).click();
      await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
      await page.locator('main h1').waitFor();
      expect(await axeViolations(page), name).toEqual([]);
    }
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await page.getByText('200', { exact: true }).first().waitFor();
    await send.click();
    await page.getByText('Idempotent-Replay: true').first().waitFor();
    // Not even a page that asks for them gets the merchant's routes.
    const refused = await page.evaluate<number>(`fetch('/apps/console/api/../../admin/stores').then(({ status }) => status)`);
    expect(refused).toBe(404);
    expectNoProblems(page);

    await app.admin('post', `/admin/apps/${installed.id}/uninstall`).expect(204);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByLabel('Client id').waitFor();
    await page.context().close();
  });
});
