import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';

import { startEmbeddedPostgres } from '../src/adapters/embedded/postgres.ts';
import { closeOnSignal } from '../src/adapters/startup/stop-signals.ts';
import { launchBrowser } from '../test/support/launch-browser.ts';

/**
 * `npm run screenshots` writes docs/images/console-<page>-<theme>.png: the console of a demo store
 * that has lived for a day. The pictures of README.md and docs/console.md.
 */
const FOLDER = new URL('../docs/images/', import.meta.url).pathname;
const SIZE = { width: 1280, height: 820 };

/** Figures of the 24 hours before. The page of 2 a.m. shows a receiver that was down. */
const PAST = `
  INSERT INTO delivery_figures (store_id, subscription_id, unit, at, delivered, failed, dropped, attempts, latency, first_attempt)
  SELECT $1, $2, 'minute', minute,
    n, CASE WHEN down THEN n / 3 ELSE 0 END, 0,
    ARRAY[n, 0, n / 40, CASE WHEN down THEN n ELSE n / 60 END, 0],
    ARRAY[n / 2, n / 3, n / 6, 0, 0, 0, 0, 0, 0, 0, 0],
    ARRAY[n / 3, n / 2, n / 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  FROM (
    SELECT minute, (12 + 9 * sin(extract(epoch FROM minute) / 5000) + 4 * sin(extract(epoch FROM minute) / 300))::int AS n,
      minute BETWEEN now() - interval '8 hours' AND now() - interval '7 hours' AS down
    FROM generate_series(date_trunc('minute', now()) - interval '24 hours', now() - interval '3 minutes', interval '1 minute') AS minute) AS past`;

interface Demo {
  readonly adminUrl: string;
  readonly link: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

const startDemo = async (databaseUrl: string, dataDir: string): Promise<Demo> => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'start'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let out = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      out += text.toString();
      if (out.includes('with Idempotent-Replay: true.')) resolve();
    });
    void ended.then(() => reject(new Error(`The server ended: ${out}`)));
  });
  const found = (pattern: RegExp): string => pattern.exec(out)?.[1] ?? '';
  return {
    adminUrl: found(/"adminUrl":"([^"]+)"/),
    link: found(/(http\S+\/console\/#code=\S+)/),
    token: found(/admin token +(\S+)/),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const shown = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor();
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
};

const directory = await mkdtemp(join(tmpdir(), 'tenon-screenshots-'));
closeOnSignal(() => rm(directory, { recursive: true, force: true }));
const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'database') });
const pool = new pg.Pool({ connectionString: postgres.url });
const demo = await startDemo(postgres.url, join(directory, 'data'));
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const admin = async (path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${demo.adminUrl}/admin${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  interface Listed {
    readonly items: readonly { readonly id: string; readonly name?: string; readonly status?: unknown; readonly url?: string }[];
  }
  const storeId = ((await admin('/stores')) as Listed).items[0]?.id ?? '';
  const store = `/stores/${storeId}`;
  const subscriptions = (await admin(`${store}/subscriptions`)) as Listed;
  const healthy = subscriptions.items.find(({ url }) => url?.endsWith('search-index'))?.id;
  await pool.query(PAST, [storeId, healthy]);
  for (let order = 1010; order < 1030; order += 1) {
    await admin(`${store}/events`, {
      type: order % 5 === 0 ? 'order.paid' : 'order.created',
      data: { id: `order-${order}`, total: order % 97 },
    });
  }
  const app = ((await admin(`${store}/apps`)) as Listed).items.find(({ name }) => name === 'Demo app')?.id ?? '';
  const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  await page.goto(demo.link);
  await page.getByRole('button', { name: 'Sign in as Owner' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const base = `${new URL(demo.link).origin}/console`;
  const refusals = (await admin(`${store}/requests`)) as Listed;
  const forbidden = refusals.items.find(({ status }) => status === 403)?.id ?? '';
  const failing = ((await admin(`${store}/deliveries?errors=http_5xx`)) as Listed).items[0]?.id ?? '';
  const pages = {
    overview: `${store}?range=24h`,
    deliveries: `${store}/deliveries`,
    delivery: `${store}/deliveries?open=${failing}`,
    refusal: `${store}/requests?open=${forbidden}`,
    key: `${store}/keys?app=${app}&key=welcome-1`,
    app: `${store}/apps/${app}`,
    subscriptions: `${store}/subscriptions`,
    proof: `${store}/proof`,
    try: `${store}/try?app=${app}`,
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(base + path);
      await shown(page);
      await page.screenshot({ path: join(FOLDER, `console-${name}-${colorScheme}.png`) });
    }
  }
} finally {
  await browser.close();
  await demo.stop();
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
