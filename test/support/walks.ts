import type { Locator, Page } from 'playwright-core';

/** Counts the clicks of a person. Text is typed, or pasted, beside them. */
export interface Walker {
  readonly page: Page;
  readonly clicks: number;
  click(target: Locator): Promise<void>;
  choose(select: Locator, option: string): Promise<void>;
}

export const walkerOn = (page: Page): Walker => {
  let clicks = 0;
  return {
    page,
    get clicks() {
      return clicks;
    },
    click: async (target) => {
      clicks += 1;
      await target.click();
    },
    choose: async (select, option) => {
      clicks += 1;
      await select.selectOption(option);
    },
  };
};

/** Places of the store that the walks look for. */
export interface Places {
  /** A file with 3,000 products, some of them wrong. */
  readonly catalogue: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };
  readonly app: string;
  /** An idempotency key whose work was done once. */
  readonly key: string;
  /** A part of the name of one product alone. */
  readonly product: string;
  /** A name for an app that is not there yet. */
  readonly newApp: string;
}

type Walk = (walker: Walker, places: Places) => Promise<void>;

const link = (page: Page, name: string | RegExp): Locator => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
const menu = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Pages of the store' }).getByText(name, { exact: true });
const seen = (target: Locator): Promise<void> => target.first().waitFor();
/** The last delivery of the list that a receiver answered: one that waits has no attempt to look at. */
const answered = (page: Page): Locator =>
  page
    .getByRole('row', { name: /Delivered|Retrying|Failed/ })
    .getByRole('link', { name: /^(product|order)\./ })
    .first();
const searchFor = async ({ page, click }: Walker, text: string): Promise<void> => {
  const box = page.getByRole('search', { name: 'Whole store' }).getByRole('searchbox');
  await click(box);
  await box.fill(text);
  await box.press('Enter');
};

/**
 * The ten questions of the console, each from the overview of the store until its answer is seen.
 * The last begins on the first page of an app's console.
 */
export const WALKS: Readonly<Record<string, Walk>> = {
  'Why did my bulk call get 403?': async (walker) => {
    const { page, click } = walker;
    await click(menu(page, 'Requests'));
    await click(link(page, 'Needs write_products').first());
    await seen(page.getByRole('dialog').getByText('How to fix it:'));
  },
  'Which deliveries failed in the last hour, why, and can they be sent again?': async ({ page, click, choose }) => {
    await click(menu(page, 'Deliveries'));
    await click(button(page, 'Failing'));
    await choose(page.getByLabel('Time', { exact: true }), 'Last hour');
    await seen(page.getByRole('row', { name: /Error in the receiver|503|500|Timeout|took too long/i }));
    await click(button(page, 'Send all again'));
    await click(page.getByRole('button', { name: /^Queue (at least )?[\d.,]+ deliver(y|ies) again$/ }));
    await seen(page.getByText(/^Queued again|queued again\. Their status below/));
  },
  'Was this key executed?': async (walker, { key }) => {
    await searchFor(walker, key);
    await seen(walker.page.getByText('The work was done once, and its response is remembered.'));
  },
  'Which webhooks did the last change of this product cause?': async (walker, { product }) => {
    const { page, click } = walker;
    await searchFor(walker, product);
    await click(link(page, 'Its deliveries'));
    await click(answered(page));
    await seen(page.getByRole('dialog').getByText('Attempt 1', { exact: true }));
  },
  'Is anything wrong now?': async ({ page }) => {
    await seen(page.getByRole('heading', { name: 'Open incidents' }));
    await seen(page.getByText('Attempts that succeeded'));
    await seen(page.getByText(/^oldest /));
    await seen(page.getByRole('heading', { name: 'Needs attention' }));
  },
  'Install an app and hand over its secrets.': async ({ page, click }, { newApp }) => {
    const dialog = page.getByRole('dialog');
    await click(menu(page, 'Apps'));
    await click(button(page, 'Install an app'));
    await dialog.getByLabel('Name').fill(newApp);
    await click(dialog.getByRole('button', { name: 'Install the app' }));
    await click(dialog.getByRole('button', { name: 'Copy as environment variables' }));
    await seen(dialog.getByText('These secrets are not shown again'));
  },
  'Rotate a signing secret while the old one stays valid.': async (walker, { app }) => {
    const { page, click } = walker;
    const dialog = page.getByRole('dialog');
    await click(menu(page, 'Apps'));
    await click(link(page, app));
    await click(button(page, 'Rotate the signing secret'));
    await click(dialog.getByRole('button', { name: 'Create a new secret' }));
    await seen(dialog.getByText(/The old secret ends in/));
    await click(dialog.getByRole('button', { name: 'Copy the signing secret' }));
  },
  'Follow an import of 3,000 products.': async ({ page, click }, { catalogue }) => {
    await click(menu(page, 'Catalogue'));
    await click(link(page, 'Import'));
    const chosen = page.waitForEvent('filechooser');
    await click(page.getByText('Choose a file'));
    await (await chosen).setFiles(catalogue);
    await seen(page.locator('.figure', { hasText: 'Failed' }));
    await seen(page.getByText(/products? (was|were) not imported|2 products failed|line/i));
  },
  'What were throughput and latency of the last day?': async ({ page }) => {
    await seen(page.getByRole('img', { name: 'Attempts by status in the last 24 hours' }));
    await seen(page.getByRole('img', { name: 'Median and 95th percentile of the time to answer in the last 24 hours' }));
    await seen(page.getByText('Commit to first attempt'));
  },
};

export const PORTAL_WALK: readonly [string, Walk] = [
  'As an app: did my deliveries arrive, and can one be sent again?',
  async ({ page, click }) => {
    await click(menu(page, 'Deliveries'));
    await click(answered(page));
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText('Attempt 1', { exact: true }));
    await click(dialog.getByRole('button', { name: 'Send again' }));
    await seen(dialog.getByRole('status'));
  },
];

/** A catalogue of this many products. Two of them cannot be imported. */
export const aCatalogue = (count: number): Places['catalogue'] => {
  const lines = Array.from({ length: count }, (_, n) =>
    n % (count / 2) === 5
      ? '{"name":""}'
      : JSON.stringify({ slug: `walked-${n}`, name: `Walked ${n}`, variants: [{ sku: `w${n}`, currency: 'EUR', price: 10 }] }),
  );
  return { name: 'walk.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) };
};
