import { fillAged } from '../support/aged.ts';
import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { startChild } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import type { Plan } from '../support/load.ts';
import type { Purged } from '../support/purger.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { bulkHeaders, keepPlan, lengthOf, openTenant, sendPlan } from '../support/stage.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';

const FORMS = {
  full: { rows: 10_000_000, chunk: 500_000, products: 100_000 },
  short: { rows: 20_000, chunk: 20_000, products: 300 },
};
const CONNECTIONS = 8;
/**
 * Rows that expire in each second of a server with this many bulk requests a second: a key and a
 * delivery for each.
 */
const PER_SECOND = 500;

/** Requests with and without a purge beside them that has a mountain before it. */
export const purge = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const { rows, chunk, products } = FORMS[short ? 'short' : 'full'];
  const environment = await openEnvironment();
  const load = startChild('support/load.ts');
  const tenon = await startTenon(environment.databaseUrl, { ROLE: 'api' });
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, products);
  await fillAged(environment.pool, tenant, rows, chunk);
  const purger = startChild('support/purger.ts', { DATABASE_URL: environment.databaseUrl });
  const ids = await productIds(environment.pool, tenant.storeId, Math.min(products, 2_000));
  const get = (path: string) => ({ method: 'GET', path, headers: tenant.headers }) as const;
  const plans: Readonly<Record<string, Plan>> = {
    list: { inTurn: [get('/apps/catalog/products?take=50')] },
    detail: { inTurn: ids.map((id) => get(`/apps/catalog/products/${id}`)) },
    'bulk of 1': { bulk: { headers: bulkHeaders(tenant), ids, size: 1, slugShare: 0 } },
    'bulk of 20': { bulk: { headers: bulkHeaders(tenant), ids, size: 20, slugShare: 0 } },
  };
  // Pages that the fill has pushed out of all caches come back from the disk first, which is nobody's cost here.
  await environment.pool.query('CHECKPOINT');
  await keepPlan(load, 'warm-up', plans['detail'] ?? { inTurn: [] });
  await sendPlan(load, { plan: 'warm-up', urls: [tenon.url], connections: CONNECTIONS, amount: ids.length });
  const figures: Figure[] = [];
  const purges: Purged[] = [];
  for (const [plan, wanted] of Object.entries(plans)) {
    await keepPlan(load, plan, wanted);
    const round = async (): Promise<number> => {
      const { rate, errors } = await sendPlan(load, {
        plan,
        urls: [tenon.url],
        connections: CONNECTIONS,
        ...lengthOf(short, CONNECTIONS),
      });
      if (errors > 0) throw new Error(`${plan}: ${errors} errors`);
      return rate;
    };
    await round();
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const alone = await round();
      await purger.ask({ go: true });
      const beside = await round();
      const purged = await purger.ask<Purged>({ halt: true });
      // A fast machine purges a short form's rows before its last rounds.
      if (!short && (purged.keys === 0 || purged.deliveries === 0)) throw new Error('there was nothing left to purge');
      process.stderr.write(`${plan}: ${Math.round(alone)}/s alone, ${Math.round(beside)}/s beside\n`);
      purges.push(purged);
      ratios.push(beside / alone);
    }
    figures.push({ name: `${plan} beside the purge to alone`, unit: 'ratio', least: 0.9, ...spreadOf(ratios) });
  }
  const rate = (of: 'keys' | 'deliveries') => spreadOf(purges.map((purged) => (purged[of] * 1000) / purged.ms));
  await Promise.all([tenon.stop(), load.stop(), purger.stop()]);
  await environment.close();
  return {
    about: `A separate process removes ${rows} expired keys and ${rows} deliveries older than the log, in batches, while requests arrive over ${CONNECTIONS} connections. Each round is compared with a round without the purge.`,
    figures: [
      ...figures,
      { name: 'keys purged beside the requests', unit: 'rows/s', least: PER_SECOND, ...rate('keys') },
      { name: 'deliveries purged beside the requests', unit: 'rows/s', least: PER_SECOND, ...rate('deliveries') },
    ],
  };
};
