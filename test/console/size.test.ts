import type { Browser, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openConsoleFiles } from '../../src/adapters/http/console/files/console-files.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { openPage, signIn } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

const KB = 1024;
/** For the overview, the first page that a reader sees: over a slow line of 1.6 Mbit/s, these are less than a second. */
const MOST_FIRST = 170 * KB;
/** For every page together. */
const MOST_ALL = 260 * KB;

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

  it('the overview loads at most 170 KB of scripts, compressed', async () => {
    const store = await app.aStore('shop.example');
    const scripts: Response[] = [];
    const page = await openPage(browser, app.adminUrl);
    // The other pages are loaded ahead when the browser is idle, which is not what the overview waits for.
    await page.addInitScript('requestIdleCallback = () => 0');
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    await signIn(page);
    await page.goto(`/console/stores/${store.id}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const sizes = new Map<string, number>();
    for (const script of scripts) {
      expect(script.headers()['content-encoding']).toBe('gzip');
      // Those that came from the cache of the browser have no bytes.
      const { responseBodySize } = await script.request().sizes();
      sizes.set(script.url(), Math.max(responseBodySize, sizes.get(script.url()) ?? 0));
    }
    const loaded = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBeGreaterThan(1);
    expect(loaded).toBeGreaterThan(50 * KB);
    expect(loaded).toBeLessThanOrEqual(MOST_FIRST);
  });

  it('all pages together have at most 260 KB of scripts, compressed', async () => {
    const { assets } = await openConsoleFiles()();
    const scripts = [...assets.values()].filter(({ type }) => type.startsWith('text/javascript'));
    const all = scripts.reduce((sum, { gzipped }) => sum + gzipped.length, 0);
    expect(all).toBeGreaterThan(100 * KB);
    expect(all).toBeLessThanOrEqual(MOST_ALL);
  });
});
