import type { Browser, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';
import { openPage, signIn } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

const KB = 1024;
/** Every page comes with the first, once: over a slow line of 1.6 Mbit/s, these are little more than a second. */
const MOST = 235 * KB;

describe.skipIf(!browserAvailable())('the size of the console', () => {
  let app: OpenApp;
  let browser: Browser;

  beforeAll(async () => {
    app = await openApp();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('the console is one script of at most 235 KB, compressed', async () => {
    const store = await app.aStore('shop.example');
    const scripts: Response[] = [];
    const page = await openPage(browser, app.adminUrl);
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    await signIn(page);
    await page.goto(`/console/stores/${store.id}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const sizes = new Map<string, number>();
    for (const script of scripts) {
      expect(script.headers()['content-encoding']).toBe('gzip');
      // Files from the cache of the browser have no bytes.
      const { responseBodySize } = await script.request().sizes();
      sizes.set(script.url(), Math.max(responseBodySize, sizes.get(script.url()) ?? 0));
    }
    const loaded = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBe(1);
    expect(loaded).toBeGreaterThan(100 * KB);
    expect(loaded).toBeLessThanOrEqual(MOST);
  });
});
