import pg from 'pg';

import { demoProducts } from '../../src/adapters/demo/catalogue.ts';
import { ANALYSED, APPS, SHIFT, STORES, SUBSCRIPTIONS, TRAFFIC, type Step } from './statements.ts';

const STORE_COUNT = 1_002;
const APP_COUNT = 271;
/** Failing receivers of the merchant beside the one that the demo has, and working receivers of apps. */
const RECEIVERS = { failing: 13, fine: 6 };

const PRODUCTS = demoProducts().flatMap(({ id, kind }) => (kind === 'Physical' ? [id] : []));

/** Few events are about this product: it is what a search by resource looks for. */
export const RARE = PRODUCTS.shift() ?? '';

const one = async <T>(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<T | undefined> =>
  (await client.query(text, [...values])).rows[0] as T | undefined;

const run = async (
  client: pg.Client,
  steps: readonly Step[],
  values: Readonly<Record<string, unknown>>,
  say: (line: string) => void,
) => {
  for (const { about, text, parameters } of steps) {
    const begun = performance.now();
    const { rowCount } = await client.query(
      text,
      parameters.map((name) => values[name]),
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    say(`${about}: ${(rowCount ?? 0).toLocaleString('en')} rows in ${seconds} s`);
  }
};

/**
 * Fills the demo store of the database in one transaction, so that it is filled as a whole or not at
 * all. A store that is filled stays as it is.
 */
export const fillLarge = async (url: string, events: number, say: (line: string) => void): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const store = await one<{ id: string; port: string | null }>(
      client,
      `SELECT st.id, (SELECT substring(s.url FROM ':(\\d+)/demo/') FROM subscriptions s WHERE s.store_id = st.id AND s.url LIKE '%/demo/%' LIMIT 1) AS port
       FROM stores st WHERE st.domain = 'localhost'`,
    );
    if (!store) throw new Error('This database has stores, but not the demo store. Name an empty one.');
    const filled = await one(client, `SELECT FROM stores WHERE domain = 'shop-2.example'`);
    if (filled) {
      say('The store was filled before: nothing was changed.');
      return;
    }
    const values = { store: store.id, port: store.port ?? '9', events, rare: RARE, products: PRODUCTS };
    const counts = { stores: STORE_COUNT, apps: APP_COUNT, failing: RECEIVERS.failing, fine: RECEIVERS.fine };
    await client.query('BEGIN');
    await run(client, [STORES, APPS, SUBSCRIPTIONS, SHIFT, ...TRAFFIC], { ...values, ...counts }, say);
    await client.query('COMMIT');
    for (const table of ANALYSED) await client.query(`VACUUM ANALYZE ${table}`);
    say('Done.');
  } finally {
    await client.end();
  }
};
