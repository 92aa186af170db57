import { fillCatalogue, importRich, productIds } from '../support/catalogue.ts';
import { contest } from '../support/contest.ts';
import type { Prepared } from '../support/load.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { bulkHeaders, keepPlan, openTenant, sendPlan, tenonSide } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';
import { hasWrk } from '../support/wrk.ts';

const PRODUCTS = { full: 1_000, short: 128 };
const CONNECTIONS = 32;

const named = (kind: string, figures: readonly Figure[]): Figure[] =>
  figures.map((figure) => ({ ...figure, name: `${kind}: ${figure.name}` }));

/** Two API processes beside one, over the same PostgreSQL. */
export const nodes = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? PRODUCTS.short : PRODUCTS.full;
  const stage = await open();
  const { ground, tenon, load } = stage;
  const other = await startTenon(ground.databaseUrl, { ROLE: 'api' });
  const tenant = await openTenant(tenon);
  await fillCatalogue(ground.pool, tenant.storeId, count);
  const details = (await importRich(tenon, tenant, Math.min(count, 500))).map((id): Prepared => ({
    method: 'GET',
    path: `/apps/catalog/products/${id}`,
    headers: tenant.headers,
  }));
  const replays = (await productIds(ground.pool, tenant.storeId, count)).map((id): Prepared => ({
    method: 'POST',
    path: '/apps/catalog/products/bulk',
    headers: { ...bulkHeaders(tenant), 'idempotency-key': `two-nodes-${id}` },
    body: JSON.stringify({ products: [{ id, metaTitle: `Replayed ${id}` }] }),
  }));
  await keepPlan(load, 'first', { inTurn: replays });
  await sendPlan(load, { plan: 'first', urls: [tenon.url], connections: 8, amount: replays.length });

  const one = tenonSide(tenon, 'one node');
  const two = { name: 'two nodes', urls: [tenon.url, other.url], pids: [tenon.pid, other.pid] };
  const run = (inTurn: readonly Prepared[]) =>
    contest(
      { stage, sides: [two, one], plan: { inTurn, byWrk: hasWrk }, connections: CONNECTIONS, goals: [1.5] },
      { short, pairs },
    );
  const figures = [...named('detail', await run(details)), ...named('replay', await run(replays))];
  await other.stop();
  await stage.close();
  return {
    about: `Two API processes compared with one, on the same PostgreSQL and the same processors as the load (${hasWrk ? 'wrk' : 'autocannon'}), with ${CONNECTIONS} connections in total.`,
    figures,
  };
};
