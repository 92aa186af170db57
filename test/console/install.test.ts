import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';

import type { TestStore } from '../support/app.ts';
import { axeViolations, openPage, WIDER, type ConsolePage } from '../support/browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';
import { freePort } from '../support/free-port.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { aPlatformApp, asksToInstall, requestOf, tokenOn, tokenRequest, type TestPlatformApp } from '../support/platform-apps.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1440] as const;

describe.skipIf(!browserAvailable())('the page on which a merchant installs an app', () => {
  let world: ConsoleWorld;
  let developer: Server;
  let redirectUrl: string;
  let store: TestStore;
  let platform: TestPlatformApp;
  beforeAll(async () => {
    world = await openConsoleWorld({ ADMIN_PORT: String(await freePort()) });
    const port = await freePort();
    redirectUrl = `http://127.0.0.1:${String(port)}/installed`;
    // The developer's own site, with the button that begins.
    developer = createServer((request, response) => {
      const { port: shop } = new URL(world.app.url);
      const query = new URLSearchParams({
        client_id: platform.clientId,
        redirect_uri: redirectUrl,
        scope: 'read_orders',
        state: 's',
      });
      const link = `http://${store.domain}:${shop}/apps/install?${query.toString()}`;
      response.setHeader('Content-Type', 'text/html');
      response.end(request.url === '/' ? `<a href="${link}">Install</a>` : '<h1>Back in the app</h1>');
    });
    await once(developer.listen(port, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    developer.close();
    await world.close();
  });
  beforeEach(async () => {
    store = await world.app.aStore(`s${String(Date.now())}.localhost`);
    platform = { ...(await aPlatformApp(world.app, { redirectUrls: [redirectUrl] })), redirectUrl };
  });

  const openRequest = async (more: object = {}): Promise<ConsolePage> => {
    const id = await requestOf(asksToInstall(world.app, store, platform, { scope: 'read_orders' }));
    const page = await world.open('', more);
    await page.goto(`/console/install?request=${id}`);
    await page.getByRole('heading', { name: /^Stock sync asks for/ }).waitFor();
    return page;
  };

  it('keeps the order of its sentence around a name from before the rule of names', async () => {
    await world.app.database.query('UPDATE platform_apps SET name = $1 WHERE id = $2', ['Stock\u202egnp sync', platform.id]);
    const id = await requestOf(asksToInstall(world.app, store, platform, { scope: 'read_orders' }));
    const page = await world.open('', {});
    await page.goto(`/console/install?request=${id}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('asks for').waitFor();
    const [name, rest] = await heading.evaluate((element) => {
      const [app] = element.querySelectorAll('bdi');
      const words = element.ownerDocument.createRange();
      const after = app?.nextSibling;
      if (after) words.selectNodeContents(after);
      return [app?.getBoundingClientRect().right ?? NaN, words.getClientRects()[0]?.left ?? NaN];
    });
    expect(rest).toBeGreaterThanOrEqual((name ?? NaN) - 1);
    await page.context().close();
  });

  it("leads from the app's button to its first call in two clicks, and a third where the merchant signs in", async () => {
    const page = await openPage(world.browser, world.app.adminUrl);
    const clicks: string[] = [];
    const click = async (role: 'button' | 'link', name: string): Promise<void> => {
      clicks.push(name);
      await page.getByRole(role, { name, exact: true }).click();
    };
    await page.goto(redirectUrl.replace('/installed', '/'));
    await click('link', 'Install');
    await page.getByLabel('Admin token').fill('the-admin-token-of-the-tests');
    await click('button', 'Sign in');
    await page.getByText('Change products, variants and prices').waitFor();
    expect(await page.getByRole('checkbox', { name: /Receive the events of orders/ }).isChecked()).toBe(false);
    await click('button', 'Install the app');
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`installed\\?store=${store.domain}&installation=[0-9a-f-]{36}&state=s$`));
    const call = world.app.api(store.domain, await tokenOn(world.app, store, platform));
    expect((await call('get', '/apps/catalog/products').expect(200)).body).toMatchObject({ items: [] });
    expect(clicks).toHaveLength(3);
    // Who is signed in saves one.
    clicks.length = 0;
    store = await world.app.aStore(`t${String(Date.now())}.localhost`);
    await page.goto(redirectUrl.replace('/installed', '/'));
    await click('link', 'Install');
    await click('button', 'Install the app');
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    const again = world.app.api(store.domain, await tokenOn(world.app, store, platform));
    await again('get', '/apps/catalog/products').expect(200);
    expect(clicks).toHaveLength(2);
    await page.context().close();
  });

  it('lets a merchant who is not signed in sign in first', async () => {
    const page = await openPage(world.browser, world.app.adminUrl);
    await page.goto(`/console/install?request=${await requestOf(asksToInstall(world.app, store, platform))}`);
    await page.getByLabel('Admin token').fill('the-admin-token-of-the-tests');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    expect(page.url()).toContain('error=access_denied');
    await tokenRequest(world.app, store, platform).expect(401);
    await page.context().close();
  });

  it('grants an optional scope that is chosen, and says when there is nothing to decide', async () => {
    const page = await openRequest();
    const address = page.url();
    await page.getByRole('checkbox', { name: /Receive the events of orders/ }).check();
    await page.getByRole('button', { name: 'Install the app' }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    const { body } = await tokenRequest(world.app, store, platform).expect(200);
    expect(body).toMatchObject({ scope: 'read_orders read_products write_products' });
    await page.goto(address);
    await page.getByRole('heading', { name: 'There is nothing to decide' }).waitFor();
    await page.context().close();
  });

  it.each(WIDTHS.flatMap((width) => THEMES.map((colorScheme) => [width, colorScheme] as const)))(
    'has no violation that axe finds, and fits %i px in %s',
    async (width, colorScheme) => {
      const page = await openRequest({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate<number>(WIDER)).toBeLessThanOrEqual(0);
      await page.context().close();
    },
  );
});
