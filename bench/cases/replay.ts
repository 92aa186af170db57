import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { compare, contest } from '../support/contest.ts';
import type { Prepared } from '../support/load.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { bulkHeaders, keepPlan, openTenant, sendPlan, startCeiling, tenonSide } from '../support/stage.ts';

const KEYS = { full: 2_000, short: 512 };
const CONNECTIONS = 32;

/** Requests that were carried out before, once each. */
export const replay = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? KEYS.short : KEYS.full;
  const stage = await open();
  const { environment, load, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const ceiling = await startCeiling(environment, 'replay.ts', tenant, { token: 'SELECT', name: 'ceiling' });
  const sides = [tenonSide(tenon), ceiling];
  const requests = (await productIds(environment.pool, tenant.storeId, count)).map((id): Prepared => ({
    method: 'POST',
    path: '/apps/catalog/products/bulk',
    headers: { ...bulkHeaders(tenant), 'idempotency-key': `replayed-${id}` },
    body: JSON.stringify({ products: [{ id, metaTitle: `Replayed ${id}` }] }),
  }));
  const inTurn = { inTurn: requests };
  await keepPlan(load, 'first', inTurn);
  const { errors } = await sendPlan(load, { plan: 'first', urls: [tenon.url], connections: 8, amount: count });
  if (errors > 0) throw new Error(`${errors} of ${count} requests failed`);
  for (const prepared of requests.slice(0, 5)) await compare(sides, prepared);
  const figures = await contest({ stage, sides, plan: inTurn, connections: CONNECTIONS, goals: [1.3] }, { short, pairs });
  await ceiling.stop();
  await stage.close();
  return {
    about: `Replays of ${count} finished bulk updates of one product in turn, over ${CONNECTIONS} connections. Ceiling: Express and pg with the token SELECT and one SELECT of the remembered bytes.`,
    figures,
  };
};
