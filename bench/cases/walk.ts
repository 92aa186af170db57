import { randomUUID } from 'node:crypto';
import { request } from 'undici';

import { fillCatalogue, productIds } from '../support/catalogue.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { keepPlan, lengthOf, openTenant, sendPlan, type Tenant } from '../support/stage.ts';
import { median, spreadOf } from '../support/statistics.ts';
import type { Tenon } from '../support/tenon.ts';

/** The most walks through each size. The largest takes minutes. */
const SIZES = {
  full: [
    { size: 100_000, walks: 7 },
    { size: 1_000_000, walks: 1 },
  ],
  short: [{ size: 3_000, walks: 1 }],
};
const SKIPS = { full: 100_000, short: 3_000 };
const TAKE = 250;

interface Store {
  readonly tenon: Tenon;
  readonly tenant: Tenant;
  /** Products of the store now. */
  total: number;
  /** Some that may go. */
  readonly spare: string[];
}

/** Adds and removes a product in turn, as the merchant, so that rows move during the walk. */
const disturb = async (store: Store, page: number): Promise<void> => {
  const { tenon, tenant, spare } = store;
  const going = page % 2 === 0 ? undefined : spare.pop();
  const id = going ?? randomUUID();
  const answer = await fetch(`${tenon.adminUrl}/admin/stores/${tenant.storeId}/products/${id}`, {
    method: going === undefined ? 'PUT' : 'DELETE',
    headers: tenon.adminHeaders,
    ...(going === undefined && { body: JSON.stringify({ name: `Come meanwhile ${id}` }) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  store.total += going === undefined ? 1 : -1;
};

/** Milliseconds of each page. Throws where a total is not exact. */
const walkThrough = async (store: Store): Promise<number[]> => {
  const times: number[] = [];
  for (let skip = 0; skip < store.total; skip += TAKE) {
    await disturb(store, times.length);
    const begunAt = performance.now();
    const answer = await request(`${store.tenon.url}/apps/catalog/products?skip=${skip}&take=${TAKE}`, {
      headers: store.tenant.headers,
    });
    const text = await answer.body.text();
    times.push(performance.now() - begunAt);
    const total = Number(/"total":(\d+)\}$/.exec(text)?.[1]);
    if (total !== store.total) throw new Error(`page ${times.length} has the total ${total} instead of ${store.total}`);
  }
  return times;
};

/** How much slower the last tenth of the pages is than the first. */
const decline = (times: readonly number[]): number => {
  const tenth = Math.max(1, Math.floor(times.length / 10));
  return median(times.slice(-tenth)) / median(times.slice(0, tenth));
};

/** A whole store page by page, while products come and go; and pages from anywhere. */
export const walk = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const form = short ? 'short' : 'full';
  const stage = await open();
  const { environment, tenon, load } = stage;
  const figures = [];
  for (const { size, walks } of SIZES[form]) {
    const tenant = await openTenant(tenon);
    await fillCatalogue(environment.pool, tenant.storeId, size);
    const store = { tenon, tenant, total: size, spare: await productIds(environment.pool, tenant.storeId, size / 10) };
    const declines: number[] = [];
    const pages: number[] = [];
    for (let left = Math.min(walks, pairs); left > 0; left -= 1) {
      const times = await walkThrough(store);
      process.stderr.write(
        `${times.length} pages of ${size}: ${median(times).toFixed(2)} ms, decline ${decline(times).toFixed(2)}\n`,
      );
      declines.push(decline(times));
      pages.push(median(times));
    }
    figures.push(
      { name: `${size} products: last tenth of the pages to the first`, unit: 'ratio', most: 1.5, ...spreadOf(declines) },
      { name: `${size} products: a page of ${TAKE}`, unit: 'ms', ...spreadOf(pages) },
    );
  }
  const below = SKIPS[form];
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, below);
  await keepPlan(load, 'skips', { skips: below, take: 50, headers: tenant.headers });
  const skips: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    skips.push((await sendPlan(load, { plan: 'skips', urls: [tenon.url], connections: 1, ...lengthOf(short, 1) })).p50);
  }
  await stage.close();
  return {
    about: `All pages of ${TAKE}, one after the other. Before each page a product is added or removed, and every total must be exact. Then pages of 50 at random skips below ${below}, over one connection.`,
    figures: [...figures, { name: `random skips below ${below}: p50`, unit: 'ms', most: 10, ...spreadOf(skips) }],
  };
};
