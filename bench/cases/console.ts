import type { Browser } from 'playwright-core';

import { browserAvailable, launchBrowser } from '../../test/support/launch-browser.ts';
import { openEnvironment } from '../support/environment.ts';
import { fillLog } from '../support/log.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openShop } from '../support/shop.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const ROWS = { full: 1_000_000, short: 20_000 };
const MOST_MS = 1_000;

interface Painted {
  /** Milliseconds from the request of the page to its first content. */
  readonly first: number;
  /** Until the figures of the overview are there. */
  readonly whole: number;
}

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;

/** Opens the overview in a window without a cache, signed in. */
const openOverview = async (browser: Browser, { adminUrl, admin }: Tenon, storeId: string): Promise<Painted> => {
  const { path } = await admin<{ path: string }>('POST', '/admin/console-codes');
  const context = await browser.newContext({ baseURL: adminUrl });
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('button', { name: 'Sign in as Owner' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await page.goto(`/console/stores/${storeId}`, { waitUntil: 'commit' });
  await page.getByText('Attempts that succeeded').waitFor();
  const whole = await page.evaluate<number>('performance.now()');
  const first = await page.evaluate<number>(FIRST_PAINT);
  await context.close();
  return { first, whole };
};

/** The overview of a store with a long log, in a real browser. */
export const consolePaint = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  // A short run says whether the case works. It needs no browser to be installed.
  if (short && !browserAvailable()) return { about: 'There is no browser here.', figures: [] };
  const rows = ROWS[short ? 'short' : 'full'];
  const environment = await openEnvironment();
  const tenon = await startTenon(environment.databaseUrl);
  const shop = await openShop(tenon);
  await fillLog(environment.pool, shop, rows, rows);
  const browser = await launchBrowser();
  // The first one warms the server: it bundles the console, or reads it.
  await openOverview(browser, tenon, shop.storeId);
  const painted: Painted[] = [];
  for (let pair = 0; pair < pairs; pair += 1) painted.push(await openOverview(browser, tenon, shop.storeId));
  await browser.close();
  await tenon.stop();
  await environment.close();
  return {
    about: `The overview of a store with ${rows} deliveries in its log, in chromium without a cache, from the request of the page.`,
    figures: [
      { name: 'first content', unit: 'ms', most: MOST_MS, ...spreadOf(painted.map(({ first }) => first)) },
      { name: 'figures shown', unit: 'ms', ...spreadOf(painted.map(({ whole }) => whole)) },
    ],
  };
};
