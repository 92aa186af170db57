import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { axeViolations, expectNoProblems, openPage, signIn, WIDER, type ConsolePage } from '../support/browser.ts';
import { browserAvailable, launchBrowser } from '../support/launch-browser.ts';

/** A folder for pictures of the pages, to be looked at. */
const SHOTS = process.env['SHOTS'];
const HOUR_MS = 3_600_000;

describe.skipIf(!browserAvailable())('the calls of an app in the console', () => {
  let app: OpenApp;
  let browser: Browser;
  let page: ConsolePage;
  let made: TestApp;

  /** A day of calls: most answered at once, some refused, and an hour with errors. */
  const aDay = async (): Promise<void> => {
    const now = Date.now();
    const hours = Array.from({ length: 24 }, (_, hour) => {
      const at = Math.floor((now - hour * HOUR_MS) / 60_000) * 60_000;
      const calls = 900 + 37 * ((hour * 7) % 11);
      const failed = hour === 5 ? 120 : 0;
      const latency = [calls, calls / 3, failed, 0, 0, 0, failed, 0, 0, 0, 0].map(Math.round);
      return {
        storeId: made.store.id,
        installationId: made.id,
        at,
        answers: [calls, Math.round(calls / 3), hour, failed, 0],
        latency,
      };
    });
    await app.container.resolve(TOKENS.ports).figures.addCalls(hours);
  };
  const figure = (name: string) => page.locator('.figure', { hasText: name });

  beforeAll(async () => {
    app = await openApp({ APP_CONSOLE: 'on' });
    made = await app.anApp(await app.aStore('tools.localhost'));
    browser = await launchBrowser();
    page = await openPage(browser, app.adminUrl);
    await signIn(page);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const looksRight = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const shot = `${name}-${String(width)}-${colorScheme}`;
        expect(await axeViolations(page), shot).toEqual([]);
        expect(await page.evaluate<number>(WIDER), shot).toBeLessThanOrEqual(0);
        if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${shot}.png` });
      }
    }
  };

  it('the page of an app says that it made none, and then how many, how they were answered and how fast', async () => {
    await page.goto(`/console/stores/${made.store.id}/apps/${made.id}`);
    await page.getByText('No call in the last 24 hours').waitFor();
    await aDay();
    await page.reload();
    await page.getByRole('img', { name: 'Calls by the status of their answer in the last 24 hours' }).waitFor();
    await expect.poll(() => figure('Errors (5xx)').textContent()).toMatch(/120 ?0\.\d+%/);
    expect(await figure('Time to answer').textContent()).toMatch(/ms p50, /);
    await looksRight('calls');
    await page.getByRole('button', { name: '1h', exact: true }).click();
    await expect.poll(() => page.url()).toContain('range=1h');
    await expect.poll(() => figure('Errors (5xx)').textContent()).toBe('Errors (5xx)0 ');
    expectNoProblems(page);
  });

  it('its developer sees the same in the app console', async () => {
    page = await openPage(browser, app.url.replace('127.0.0.1', made.store.domain));
    await page.goto('/apps/console/');
    await page.getByLabel('Client id').fill(made.clientId);
    await page.getByLabel('Client secret').fill(made.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => figure('Errors (5xx)').textContent()).toMatch(/^Errors \(5xx\)120/);
    await looksRight('calls-portal');
    expectNoProblems(page);
  });
});
