import { setTimeout as pause } from 'node:timers/promises';

import { fillCatalogue, importRich, productIds } from '../support/catalogue.ts';
import { startChild } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import { MOST_RSS } from '../support/contest.ts';
import type { Plan, Prepared } from '../support/load.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { bulkHeaders, credentials, keepPlan, lengthOf, openTenant, sendPlan } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';

const FORMS = {
  full: { products: 100_000, idleMs: 10_000, totalMs: 600_000, connections: 32 },
  short: { products: 300, idleMs: 100, totalMs: 500, connections: 4 },
};
const SAMPLE_MS = 100;

/** The slope of the straight line nearest to the points, in MB a minute. */
const slopeOf = (points: readonly { readonly minute: number; readonly rss: number }[]): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ rss }) => rss))];
  const along = points.reduce((sum, point) => sum + (point.minute - x) * (point.rss - y), 0);
  return along / points.reduce((sum, point) => sum + (point.minute - x) ** 2, 0);
};

/** Measures a process that does all, at rest and under every kind of request in turn. */
export const memory = async ({ short }: CaseOptions): Promise<CaseResult> => {
  const { products, idleMs, totalMs, connections } = FORMS[short ? 'short' : 'full'];
  const environment = await openEnvironment();
  const load = startChild('support/load.ts');
  const tenon = await startTenon(environment.databaseUrl, { ROLE: 'all' });
  await pause(idleMs);
  const idle = tenon.rss();

  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, products);
  const details = await importRich(tenon, tenant, Math.min(products, 200));
  const ids = await productIds(environment.pool, tenant.storeId, Math.min(products, 10_000));
  const get = (path: string): Prepared => ({ method: 'GET', path, headers: tenant.headers });
  const bulk = (size: number): Plan => ({ bulk: { headers: bulkHeaders(tenant), ids, size, slugShare: 0.1 } });
  const form = { host: tenant.domain, 'content-type': 'application/x-www-form-urlencoded' };
  const plans: Readonly<Record<string, Plan>> = {
    list: { inTurn: [get('/apps/catalog/products?take=250')] },
    detail: { inTurn: details.map((id) => get(`/apps/catalog/products/${id}`)) },
    token: { inTurn: [{ method: 'POST', path: '/apps/token', headers: form, body: credentials(tenant) }] },
    'bulk-1': bulk(1),
    'bulk-100': bulk(100),
    'bulk-250': bulk(250),
  };
  for (const [name, plan] of Object.entries(plans)) await keepPlan(load, name, plan);

  const atMost: Record<string, number> = {};
  const points: { minute: number; rss: number }[] = [];
  const begunAt = performance.now();
  while (performance.now() - begunAt < totalMs) {
    for (const plan of Object.keys(plans)) {
      let most = 0;
      const sampling = setInterval(() => (most = Math.max(most, tenon.rss())), SAMPLE_MS);
      const { errors } = await sendPlan(load, {
        plan,
        urls: [tenon.url],
        connections,
        ...lengthOf(short, connections),
      });
      clearInterval(sampling);
      if (errors > 0) throw new Error(`${plan}: ${errors} errors`);
      const rss = tenon.rss();
      atMost[plan] = Math.max(atMost[plan] ?? 0, most, rss);
      points.push({ minute: (performance.now() - begunAt) / 60_000, rss });
    }
    process.stderr.write(
      `RSS ${Math.round(points.at(-1)?.rss ?? NaN)} MB after ${Math.round((performance.now() - begunAt) / 1000)} s\n`,
    );
  }
  await Promise.all([tenon.stop(), load.stop()]);
  await environment.close();
  // Growth of the first rounds is memory that is kept: code, plans, connections.
  const steady = points.slice(Math.floor(points.length / 3));
  return {
    about: `RSS of one process (ROLE=all) without its database: ${idleMs / 1000} s after its start, and during rounds of each kind of request in turn for ${totalMs / 1000} s, over ${connections} connections. The slope is that of the last two thirds.`,
    figures: [
      { name: 'idle', unit: 'MB', most: 200, median: idle },
      ...Object.entries(atMost).map(([plan, rss]) => ({
        name: `at most under ${plan}`,
        unit: 'MB',
        most: MOST_RSS,
        median: rss,
      })),
      { name: 'slope', unit: 'MB/min', most: 1, median: slopeOf(steady) },
    ],
  };
};
