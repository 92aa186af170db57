import pg from 'pg';

import { fillCatalogue, importRich, productIds } from '../support/catalogue.ts';
import { startChild, type Child } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import type { Plan } from '../support/load.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { bulkHeaders, keepPlan, lengthOf, openTenant, sendPlan } from '../support/stage.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const SIZES = { full: [1_000, 100_000, 1_000_000], short: [100, 300] };
const RICH = { full: 500, short: 10 };
const CONNECTIONS = 8;
const KINDS = ['list at skip 0', 'detail', 'bulk of 100'] as const;

interface Store {
  readonly size: number;
  readonly tenon: Tenon;
}

/** A database with one store of `count` products, its API process, and a plan of each kind. */
const openStore = async (url: string, size: number, rich: number, load: Child): Promise<Store> => {
  const tenon = await startTenon(url, { ROLE: 'api' });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const tenant = await openTenant(tenon);
  await fillCatalogue(pool, tenant.storeId, size);
  const ids = await productIds(pool, tenant.storeId, Math.min(size, 20_000));
  const details = await importRich(tenon, tenant, rich);
  await pool.end();
  const get = (path: string) => ({ method: 'GET', path, headers: tenant.headers }) as const;
  const plans: Readonly<Record<(typeof KINDS)[number], Plan>> = {
    'list at skip 0': { inTurn: [get('/apps/catalog/products?take=50')] },
    detail: { inTurn: details.map((id) => get(`/apps/catalog/products/${id}`)) },
    'bulk of 100': { bulk: { headers: bulkHeaders(tenant), ids, size: 100, slugShare: 0 } },
  };
  for (const kind of KINDS) await keepPlan(load, `${kind} of ${size}`, plans[kind]);
  return { size, tenon };
};

/** Sends the same requests to a small, a large and a very large store, in turn. */
export const growth = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const form = short ? 'short' : 'full';
  const environment = await openEnvironment();
  const load = startChild('support/load.ts');
  const stores: Store[] = [];
  for (const size of SIZES[form])
    stores.push(await openStore(await environment.database(`products_${size}`), size, RICH[form], load));

  const roundOf = async (kind: string, { size, tenon }: Store): Promise<number> => {
    const options = { urls: [tenon.url], connections: CONNECTIONS, ...lengthOf(short, CONNECTIONS) };
    const { p50, errors } = await sendPlan(load, { plan: `${kind} of ${size}`, ...options });
    if (errors > 0) throw new Error(`${kind} of ${size}: ${errors} errors`);
    process.stderr.write(`${kind} of ${size}: p50 ${p50.toFixed(2)} ms\n`);
    return p50;
  };
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    for (const store of stores) await roundOf(kind, store);
    const rounds: number[][] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const round: number[] = [];
      for (const store of stores) round.push(await roundOf(kind, store));
      rounds.push(round);
    }
    const [smallest] = stores;
    for (const [at, { size }] of stores.entries()) {
      const to = rounds.map((round) => (round[at] ?? NaN) / (round[0] ?? NaN));
      if (at > 0)
        figures.push({ name: `${kind}: p50 of ${size} to ${smallest?.size ?? 0}`, unit: 'ratio', most: 1.25, ...spreadOf(to) });
      figures.push({ name: `${kind}: p50 of ${size}`, unit: 'ms', ...spreadOf(rounds.map((round) => round[at] ?? NaN)) });
    }
  }
  await Promise.all([load.stop(), ...stores.map(({ tenon }) => tenon.stop())]);
  await environment.close();
  return {
    about: `Stores of ${SIZES[form].join(', ')} products on one PostgreSQL, each with its database and its API process, in turn over ${CONNECTIONS} connections. Details of ${RICH[form]} products with 8 variants each, and bulk updates of 100 products anywhere in the store.`,
    figures,
  };
};
