import { fillCatalogue, fillCollection } from '../support/catalogue.ts';
import { compare, contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openTenant, startCeiling, tenonSide } from '../support/stage.ts';

const PRODUCTS = { full: 10_000, short: 200 };
const CONNECTIONS = 32;

/** A page of a collection's product ids. */
export const collection = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? PRODUCTS.short : PRODUCTS.full;
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const id = await fillCollection(environment.pool, tenant.storeId, count);
  const ceiling = await startCeiling(environment, 'read.ts', tenant, { token: 'SELECT', name: 'ceiling' });
  const sides = [tenonSide(tenon), ceiling];
  const page = { method: 'GET', path: `/apps/catalog/collections/${id}/products?take=50`, headers: tenant.headers } as const;
  for (const path of [page.path, `${page.path}&skip=${count - 10}`, `${page.path}&skip=${count}`])
    await compare(sides, { ...page, path });
  const figures = await contest(
    { stage, sides, plan: { inTurn: [page] }, connections: CONNECTIONS, goals: [0.75] },
    { short, pairs },
  );
  await ceiling.stop();
  await stage.close();
  return {
    about: `The first 50 products of a collection of ${count}, over ${CONNECTIONS} connections. Ceiling: Express and pg with the token SELECT and one SELECT of the total and the page.`,
    figures,
  };
};
