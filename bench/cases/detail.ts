import { importRich } from '../support/catalogue.ts';
import { compare, contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openTenant, startCeiling, tenonSide } from '../support/stage.ts';

const PRODUCTS = { full: 1_000, short: 20 };
const CONNECTIONS = 32;

/** Whole products, one after the other of a thousand. */
export const detail = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  const ids = await importRich(tenon, tenant, short ? PRODUCTS.short : PRODUCTS.full);
  // The worker's task, which a node of the API alone does not have.
  await environment.pool.query('ANALYZE');
  const ceiling = await startCeiling(environment, 'read.ts', tenant, { token: 'SELECT', name: 'ceiling' });
  const validated = await startCeiling(environment, 'validated-read.ts', tenant, {
    token: 'SELECT',
    name: 'validated cache by hand',
  });
  const sides = [tenonSide(tenon), validated, ceiling];
  const requests = ids.map((id) => ({ method: 'GET', path: `/apps/catalog/products/${id}`, headers: tenant.headers }) as const);
  let bytes = 0;
  for (const prepared of requests.slice(0, 5)) bytes = (await compare(sides, prepared)).body.length;
  const figures = await contest(
    { stage, sides, plan: { inTurn: requests }, connections: CONNECTIONS, goals: [0.65, 2.5] },
    { short, pairs },
  );
  await Promise.all([ceiling.stop(), validated.stop()]);
  await stage.close();
  return {
    about: `The details of ${ids.length} products in turn, each with 8 variants, 5 media and 3 options (${bytes} bytes), over ${CONNECTIONS} connections. Ceilings: Express and pg with rendered documents in memory and one SELECT of the token and the version; and with the token SELECT and the document in one SELECT.`,
    figures,
  };
};
