import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { expectNoProblems, openPage, signIn, type ConsolePage } from '../support/browser.ts';
import { OWN_PAGE } from '../support/console-page.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

interface Signed {
  readonly operator?: { readonly name: string };
}

const REFUSED = 'The token is wrong or has ended, or the login code is wrong, has expired or was used before.';

describe.skipIf(!browserAvailable())('signing in to the console', () => {
  let app: OpenApp;
  let store: TestStore;
  let browser: Browser;

  beforeAll(async () => {
    app = await openApp();
    store = await app.aStore('shop.example');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const open = () => openPage(browser, app.adminUrl);
  const link = async (): Promise<string> => {
    const { body } = await app.admin('post', '/admin/console-codes').expect(201);
    return (body as { path: string }).path;
  };
  const close = async (page: ConsolePage): Promise<void> => {
    expectNoProblems(page);
    await page.context().close();
  };

  it('a one-time link signs in, and its code is not kept in the address or the history', async () => {
    const page = await open();
    await page.goto(await link());
    await page.getByRole('button', { name: 'Sign in as Owner' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/stores/${store.id}`);
    expect(page.url()).not.toContain('code');
    await page.goBack();
    // To what was there before the link.
    expect(page.url()).toBe('about:blank');
    await close(page);
  });

  it('a link that was used before says so, and the admin token still signs in', async () => {
    const path = await link();
    const first = await open();
    await first.goto(path);
    await first.getByRole('button', { name: 'Sign in as Owner' }).click();
    await first.getByRole('button', { name: 'Sign out' }).waitFor();
    await close(first);
    const second = await open();
    await second.goto(path);
    await second.getByRole('alert').getByText(REFUSED).waitFor();
    expect(second.url()).not.toContain('code');
    await second.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await second.keyboard.press('Enter');
    await second.getByRole('heading', { name: 'Overview' }).waitFor();
    await close(second);
  });

  it('a link replaces the session of another person only when the reader says so, and is not used by looking', async () => {
    const page = await open();
    await signIn(page);
    const { body: other } = await app.admin('post', '/admin/operators').send({ name: 'Mallory' }).expect(201);
    const { id } = other as { id: string };
    const { body } = await app.admin('post', `/admin/operators/${id}/links`).expect(201);
    const path = `/console/sign-in#code=${(body as { code: string }).code}`;
    const isOwner = async () =>
      ((await (await page.request.get(`${app.adminUrl}/console/session`, { headers: OWN_PAGE })).json()) as Signed).operator
        ?.name;
    await page.goto(path);
    await page.getByText('You are signed in as Owner.').waitFor();
    expect(await isOwner()).toBe('Owner');
    await page.getByRole('button', { name: 'Stay signed in as Owner' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await isOwner()).toBe('Owner');
    // From another page, so that the document loads again.
    await page.goto('about:blank');
    await page.goto(path);
    await page.getByRole('button', { name: 'Sign in as Mallory' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await isOwner()).toBe('Mallory');
    await close(page);
  });

  it('a wrong token is refused in words, and the right one signs in after it', async () => {
    const page = await open();
    await page.goto('/console/');
    await page.getByLabel('Admin token').fill('not the token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(REFUSED).waitFor();
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await close(page);
  });

  it('the sign-in leads back to the page that was asked for, with its filter', async () => {
    const page = await open();
    const asked = `/console/stores/${store.id}/deliveries?status=Waiting`;
    await page.goto(asked);
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(asked);
    await close(page);
  });

  it('the sign-in continues to the page that was asked for when a link is opened in another tab', async () => {
    const page = await open();
    await page.goto(`/console/sign-in?next=${encodeURIComponent(`/stores/${store.id}/events?type=order.paid`)}`);
    await page.getByText('If you have a sign-in link, open it in this browser.').waitFor();
    const other = await page.context().newPage();
    await other.goto(new URL(await link(), app.adminUrl).href);
    await other.getByRole('button', { name: 'Sign in as Owner' }).click();
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/stores/${store.id}/events`);
    // A reader who comes back to the sign-in is signed in already.
    await other.goto(new URL('/console/sign-in?next=%2Foperators', app.adminUrl).href);
    await other.getByRole('heading', { name: 'Operators' }).waitFor();
    await close(page);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ])('a session leads to no other site: %j', async (next) => {
    const page = await open();
    await signIn(page);
    await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(app.adminUrl);
    await close(page);
  });

  it('the sign-in leads to no other site, also where the address names one', async () => {
    const page = await open();
    await page.goto('/console/sign-in?next=//evil.example');
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(app.adminUrl);
    await close(page);
  });

  it('after the sign-out no page shows anything, and the session is ended on the server', async () => {
    const page = await open();
    await signIn(page);
    const cookies = await page.context().cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.goto(`/console/stores/${store.id}/deliveries`);
    await page.getByLabel('Admin token').waitFor();
    // The cookie that the browser had before is worth nothing.
    await page.context().addCookies(cookies);
    await page.goto(`/console/stores/${store.id}/deliveries`);
    await page.getByLabel('Admin token').waitFor();
    await close(page);
  });

  it('a session that ends while a page is open leads to the sign-in, and back to that page', async () => {
    const page = await open();
    await signIn(page);
    await page.goto(`/console/stores/${store.id}/apps`);
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    await page.context().clearCookies();
    const token = page.getByLabel('Admin token');
    // A request that left with the cookie serves the refresh that comes while it is under way.
    const refresh = async (): Promise<boolean> => {
      await page.keyboard.press('r');
      return token.isVisible();
    };
    await expect.poll(refresh).toBe(true);
    await token.fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    await close(page);
  });
});
