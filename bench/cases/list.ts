import { fillCatalogue } from '../support/catalogue.ts';
import { compare, contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openTenant, startCeiling, tenonSide } from '../support/stage.ts';

const PRODUCTS = { full: 100_000, short: 300 };
const CONNECTIONS = 32;

/** The first page of the list, as most ask for it. */
export const list = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? PRODUCTS.short : PRODUCTS.full;
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const facts = { total: String(count) };
  const known = await startCeiling(environment, 'read.ts', tenant, {
    token: 'map',
    name: 'ceiling with the token in a map',
    facts,
  });
  const asked = await startCeiling(environment, 'read.ts', tenant, {
    token: 'SELECT',
    name: 'ceiling with the token SELECT',
    facts,
  });
  const validated = await startCeiling(environment, 'validated-read.ts', tenant, {
    token: 'SELECT',
    name: 'validated cache by hand',
    facts,
  });
  const sides = [tenonSide(tenon), validated, known, asked];
  const page = { method: 'GET', path: '/apps/catalog/products?take=50', headers: tenant.headers } as const;
  for (const path of [page.path, `/apps/catalog/products?skip=${count - 20}&take=30`]) await compare(sides, { ...page, path });
  const figures = await contest(
    { stage, sides, plan: { inTurn: [page] }, connections: CONNECTIONS, goals: [0.65, 0.5, 0.8] },
    { short, pairs },
  );
  await Promise.all([known.stop(), asked.stop(), validated.stop()]);
  await stage.close();
  return {
    about: `The first 50 of ${count} products, over ${CONNECTIONS} connections. Ceilings: Express and pg with a known total; with items in memory, the token SELECT and a SELECT of the page's versions; with the page in one SELECT and the token in a map or read by a SELECT.`,
    figures,
  };
};
