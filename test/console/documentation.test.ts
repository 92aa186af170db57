import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';

import { openSite } from '../../site/site.ts';
import { docsRouter } from '../../src/adapters/http/pages/docs.ts';
import { axeViolations } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

const ADDRESSES = ['/docs', ...[...openSite().pages.values()].map(({ address }) => address)];
/** Measures only the page: a wide table of figures scrolls inside it. */
const WIDER = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.skipIf(!browserAvailable())('the documentation', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    server = express().use(docsRouter('plain')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  it.each(ADDRESSES)(
    '%s is not wider than a phone or a desktop, and has no violation of axe in either theme',
    async (address) => {
      await page.goto(`${url}${address}`);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await page.evaluate(WIDER)]).toEqual([width, 0]);
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await axeViolations(page)]).toEqual([colorScheme, []]);
      }
    },
  );

  it('finds a section, and copies a block', async () => {
    await page.goto(`${url}/docs/getting-started`);
    await page.fill('#search', 'breaker probe');
    await page.click('#found a');
    await page.waitForURL(/\/docs\/.+#/);
    expect(await page.locator('pre + button').first().textContent()).toBe('Copy');
  });

  it('keeps the theme that a reader chose', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${url}/docs`);
    await page.click('#theme');
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
