import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

import { ADMIN_TOKEN } from './app.ts';

export interface ConsolePage extends Page {
  /** Errors and warnings of the browser's console, reports of the policy, and requests to other hosts. */
  readonly problems: readonly string[];
}

/** A window of its own: no cookies, and every problem is noted. */
export const openPage = async (browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<ConsolePage> => {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(base).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('console', (message) => {
    // Chromium reports every refused request. What the page makes of it is what the tests look at.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (!isRefusal && ['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.host !== new URL(base).host) problems.push(`a request to ${url.href}`);
  });
  return Object.assign(page, { problems });
};

/** Signs in with the admin token as a person does. */
export const signIn = async (page: Page, token: string = ADMIN_TOKEN): Promise<void> => {
  await page.goto('/console/');
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
};

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/**
 * Returns the findings of axe-core as `rule: where`. The policy lets no script in but the page's
 * own, so the browser's debugger evaluates axe.
 */
export const axeViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(await readFile(axe, 'utf8'));
  const violations = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } }).axe;
    return (
      await run.run({
        resultTypes: ['violations'],
        // By default the rules of WCAG 2.2 are off.
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      })
    ).violations;
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

/** By how much the page, or a table on it, is wider than its place: nobody sees that it scrolls sideways. */
export const WIDER =
  "Math.max(...[document.documentElement, ...document.querySelectorAll('.table')].map((it) => it.scrollWidth - it.clientWidth))";

/** Chooses what is called so in a combobox, as a person does who types. */
export const chooseIn = async (page: Page, label: string, name: string): Promise<void> => {
  const box = page.getByRole('combobox', { name: label, exact: true });
  await box.click();
  await box.fill(name);
  await page.getByRole('listbox', { name: label, exact: true }).getByRole('option', { name }).first().click();
};

/** No error, no report of the policy, no request to another host. */
export const expectNoProblems = (page: ConsolePage): void => {
  expect(page.problems).toEqual([]);
};
