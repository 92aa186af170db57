import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';
import { expectNoProblems, openPage, signIn, type ConsolePage } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

const DOMAIN = 'tools.example';
const SAMPLE = new URL('../../examples/sample-catalogue.csv', import.meta.url);

/** The steps share a page: each begins where the step before has ended. */
describe.skipIf(!browserAvailable())('a store and its app, made in the console', () => {
  let app: OpenApp;
  let browser: Browser;
  let page: ConsolePage;
  let clientId = '';
  let clientSecret = '';
  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  const copied = async (what: string): Promise<string> => {
    await dialog()
      .getByRole('button', { name: `Copy ${what}` })
      .click();
    await dialog().getByRole('button', { name: 'Copied', exact: true }).first().waitFor();
    return clipboard();
  };
  /** Status of the token endpoint for these credentials. */
  const tokenStatus = async (secret: string): Promise<number> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
    return (await app.api(DOMAIN, null)('post', '/apps/token').type('form').send(form)).status;
  };

  beforeAll(async () => {
    app = await openApp();
    browser = await launchBrowser();
    page = await openPage(browser, app.adminUrl);
    await signIn(page);
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('a store is created, and its first steps lead on', async () => {
    await page.getByText('No stores yet').waitFor();
    await button('Create a store').click();
    await dialog().getByLabel('Domain').fill('not a domain');
    await dialog().getByRole('button', { name: 'Create the store' }).click();
    // The field shows its fault.
    await expect.poll(() => dialog().getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
    await dialog().getByLabel('Domain').fill(DOMAIN);
    await dialog().getByLabel('Name').fill('Tools');
    await dialog().getByRole('button', { name: 'Create the store' }).click();
    await page.getByText('Store Tools created.').waitFor();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Install an app' }).click();
    await page.getByText('No apps yet').waitFor();
    expectNoProblems(page);
  });

  it('an app is installed, and its secrets are copied before they are gone', async () => {
    await button('Install an app').click();
    await dialog().getByLabel('Name').fill('Stock sync');
    await dialog().getByRole('button', { name: 'Install the app' }).click();
    await dialog().getByText('These secrets are not shown again').waitFor();
    clientId = await copied('the client id');
    clientSecret = await copied('the client secret');
    const signingSecret = await copied('the signing secret');
    expect(new Set([clientId, clientSecret, signingSecret]).size).toBe(3);
    await dialog().getByRole('button', { name: 'Copy as environment variables' }).click();
    await expect
      .poll(clipboard)
      .toBe(`TENON_CLIENT_ID=${clientId}\nTENON_CLIENT_SECRET=${clientSecret}\nTENON_SIGNING_SECRET=${signingSecret}`);
    expect(await tokenStatus(clientSecret)).toBe(200);
    // Escape by accident does not lose them, however often it is pressed.
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
    await dialog().getByText('A lost secret can only be replaced.').waitFor();
    expect(await dialog().getByText(clientSecret).isVisible()).toBe(true);
    await dialog().getByRole('button', { name: 'I have stored them' }).click();
    await page.getByRole('heading', { name: 'Stock sync', level: 1 }).waitFor();
    expect(await page.getByText(clientSecret).count()).toBe(0);
    expectNoProblems(page);
  });

  it('its scopes are changed, and what it loses is said before', async () => {
    await button('Change the scopes').click();
    await dialog()
      .getByRole('checkbox', { name: /^read_products/ })
      .uncheck();
    await dialog().getByText('The app loses read_products').waitFor();
    await dialog()
      .getByRole('checkbox', { name: /^read_products/ })
      .check();
    await dialog().getByRole('checkbox', { name: 'write_products' }).check();
    await dialog().getByRole('checkbox', { name: 'read_orders' }).check();
    await dialog().getByRole('button', { name: 'Change the scopes' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'read_orders' }).waitFor();
    expectNoProblems(page);
  });

  it('its client secret is rotated: both are valid while the countdown runs', async () => {
    await button('Rotate the client secret').click();
    await dialog().getByLabel('How long the old secret stays valid').selectOption('1 hour');
    await dialog().getByRole('button', { name: 'Create a new secret' }).click();
    const fresh = await copied('the client secret');
    expect(fresh).not.toBe(clientSecret);
    await dialog()
      .getByText(/The old secret ends in 59:\d\d/)
      .waitFor();
    await dialog().getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/The old secret ends in 59:\d\d/).waitFor();
    expect([await tokenStatus(clientSecret), await tokenStatus(fresh)]).toEqual([200, 200]);
    clientSecret = fresh;
    expectNoProblems(page);
  });

  it('it is suspended and resumed, each after its effects were said', async () => {
    await button('Suspend the app').click();
    await dialog().getByText('Its access tokens are revoked, and it cannot get new ones.').waitFor();
    await dialog().getByRole('button', { name: 'Suspend the app' }).click();
    await page.getByText('This app is suspended').waitFor();
    expect(await tokenStatus(clientSecret)).toBe(401);
    await button('Resume the app').click();
    await dialog().getByRole('button', { name: 'Resume the app' }).click();
    await page.getByText('This app is suspended').waitFor({ state: 'detached' });
    expect(await tokenStatus(clientSecret)).toBe(200);
    expectNoProblems(page);
  });

  it('a catalogue is imported: how far it is, then its counts, and each product has a page', async () => {
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    let send: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/products/import*', async (route) => {
      await held;
      await route.continue();
    });
    const second = await page.context().newPage();
    const isFollowed = second.waitForResponse((response) => response.url().endsWith('/live'));
    await second.goto(page.url());
    await isFollowed;
    const file = { name: 'sample-catalogue.csv', mimeType: 'text/csv', buffer: await readFile(SAMPLE) };
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByRole('heading', { name: 'Importing sample-catalogue.csv' }).waitFor();
    await page.getByRole('progressbar', { name: 'Lines that are done' }).waitFor();
    await button('Cancel the import').waitFor();
    send();
    await page.getByText('All 30 products imported').waitFor();
    const figures = page.locator('.figure');
    const counts = ['Read\n30', 'Created\n30', 'Updated\n0', 'Unchanged\n0', 'Failed\n0'];
    expect(await figures.allInnerTexts()).toEqual(counts);
    // Another window sees what was imported.
    await second.getByRole('heading', { name: 'Another import has ended' }).waitFor();
    expect(await second.locator('.figure').allInnerTexts()).toEqual(counts);
    await second.close();
    await page.getByRole('link', { name: 'Open the catalogue' }).click();
    await page.getByText('1 to 30 of 30').waitFor();
    await page.getByRole('searchbox', { name: 'Part of a name or SKU' }).fill('linen throw');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('link', { name: 'Linen Throw' }).click();
    await page.getByRole('heading', { name: 'Linen Throw', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Variants' }).getByRole('row').nth(1).waitFor();
    await button('JSON').click();
    await page.getByText('"slug"').first().waitFor();
    expect(page.url()).toContain('tab=json');
    expectNoProblems(page);
  });

  it('it is uninstalled after all that this ends was seen', async () => {
    const [{ id } = { id: '' }] = await app.database.query<{ id: string }>('SELECT id::text FROM installations');
    const token = await app.token({ id, store: { id: '', domain: DOMAIN }, clientId, clientSecret, signingSecret: '' });
    const subscription = { url: 'https://receiver.example/hook', eventTypes: ['order.paid'] };
    await app.api(DOMAIN, token)('post', '/apps/webhooks/subscriptions').send(subscription).expect(200);
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    await page.getByRole('link', { name: 'Stock sync' }).click();
    await button('Uninstall the app').click();
    await dialog().getByText('1 subscription is removed.').waitFor();
    await dialog().getByText('Its client secret and its signing secret stop working.').waitFor();
    // To read it does nothing.
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await tokenStatus(clientSecret)).toBe(200);
    await button('Uninstall the app').click();
    await dialog().getByRole('button', { name: 'Uninstall the app' }).click();
    await page.getByText('This app is uninstalled').waitFor();
    expect(await tokenStatus(clientSecret)).toBe(401);
    expect(await button('Rotate the client secret').count()).toBe(0);
    expectNoProblems(page);
  });
});
