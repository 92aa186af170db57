import type { Browser, BrowserContextOptions } from 'playwright-core';

import { openPage, signIn, type ConsolePage } from './browser.ts';
import { launchBrowser } from './launch-browser.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from './app.ts';
import { respond, startReceiver, type Receiver } from './receiver.ts';

/** A server with a store that lives: an app, products, a receiver that fails and one that works. */
export interface ConsoleWorld {
  readonly app: OpenApp;
  readonly store: TestStore;
  readonly installed: TestApp;
  readonly productIds: readonly string[];
  readonly works: Receiver;
  readonly fails: Receiver;
  readonly browser: Browser;
  /** A page of the store, signed in. */
  readonly open: (path?: string, options?: BrowserContextOptions) => Promise<ConsolePage>;
  readonly close: () => Promise<void>;
}

/** Attempts follow one another at once and there are two of them, so that a delivery fails for good. */
const SETTINGS = { WEBHOOK_RETRY_SECONDS: '0,0', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' };

export const openConsoleWorld = async (settings: Readonly<Record<string, string>> = {}): Promise<ConsoleWorld> => {
  const app = await openApp({ ...SETTINGS, ...settings });
  const store = await app.aStore('shop.example');
  const installed = await app.anApp(store);
  const productIds = await app.importProducts(
    store,
    ['Block plane', 'Tenon saw', 'Marking gauge'].map((name) => ({
      name,
      variants: [{ sku: `sku ${name}`, currency: 'EUR', price: 10 }],
    })),
  );
  const works = await startReceiver();
  const fails = await startReceiver();
  // After a 503 the second attempt would wait for a minute.
  fails.answer(respond(500, '{"error":"The warehouse is closed."}'));
  const browser = await launchBrowser();
  return {
    app,
    store,
    installed,
    productIds,
    works,
    fails,
    browser,
    open: async (path = '', options = {}) => {
      const page = await openPage(browser, app.adminUrl, options);
      await signIn(page);
      await page.goto(`/console/stores/${store.id}${path}`);
      return page;
    },
    close: async () => {
      await browser.close();
      await Promise.all([works.close(), fails.close()]);
      await app.close();
    },
  };
};
