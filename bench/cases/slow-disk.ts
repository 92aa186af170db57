import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { bulkHeaders, openStage, openTenant, startCeiling, tenonSide } from '../support/stage.ts';

const PRODUCTS = { full: 10_000, short: 300 };
const CONNECTIONS = 2;
const FLUSH_MS = 5;
/** A claim that waits doubles what a write waits for the disk. */
const GOALS = [1.2, undefined];

/** Writes on a disk that is slow to flush, beside claims by hand that wait for it and that do not. */
export const slowDisk = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const stage = await openStage();
  const { environment, tenon } = stage;
  const count = short ? PRODUCTS.short : PRODUCTS.full;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const ceilingOf = (claim: string, name: string) =>
    startCeiling(environment, 'bulk.ts', tenant, { token: 'map', name, facts: { claim } });
  const waiting = await ceilingOf('on', 'ceiling with a claim that waits');
  const not = await ceilingOf('off', 'ceiling with a claim that does not');
  for (const setting of [`commit_delay = ${FLUSH_MS * 1_000}`, 'commit_siblings = 0'])
    await environment.pool.query(`ALTER SYSTEM SET ${setting}`);
  await environment.pool.query('SELECT pg_reload_conf()');
  const ids = await productIds(environment.pool, tenant.storeId, count);
  const sides = [tenonSide(tenon), waiting, not];
  const plan = { bulk: { headers: bulkHeaders(tenant), ids, size: 1, slugShare: 0 } };
  const figures = await contest({ stage, sides, plan, connections: CONNECTIONS, goals: GOALS }, { short, pairs });
  await Promise.all([waiting.stop(), not.stop()]);
  await stage.close();
  return {
    about: `Bulk updates of 1 out of ${count} products with new keys over ${CONNECTIONS} connections, where a flush takes ${FLUSH_MS} ms more: commit_delay takes the place of a slow disk. Ceilings: the one of bulk-1 with the claim of the key in a commit of its own, which waits for the disk as Tenon's did, or does not.`,
    figures,
  };
};
