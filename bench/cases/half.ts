import { fillCatalogue, importRich } from '../support/catalogue.ts';
import { contest } from '../support/contest.ts';
import type { Plan } from '../support/load.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { openTenant, tenonSide } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';

/** Half of the details take 11 MB, and half of the items 3 MB. */
const FORMS = {
  full: { details: 1_000, products: 10_000, skips: 5_000, detailMb: '11', itemMb: '3', order: 20_000 },
  short: { details: 20, products: 300, skips: 100, detailMb: '1', itemMb: '1', order: 200 },
};
const CONNECTIONS = 32;

/** Reads while the memory holds half of the documents, compared with reads that render each time. */
export const half = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const form = FORMS[short ? 'short' : 'full'];
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, form.products);
  const shop = await openTenant(tenon);
  const ids = await importRich(tenon, shop, form.details);
  // The worker's task, which a node of the API alone does not have.
  await environment.pool.query('ANALYZE');
  const { headers } = shop;
  const details = Array.from({ length: form.order }, () => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    return { method: 'GET', path: `/apps/catalog/products/${id}`, headers } as const;
  });
  const run = async (kind: string, plan: Plan, megabytes: string): Promise<Figure[]> => {
    const [kept, rendering] = await Promise.all([
      startTenon(environment.databaseUrl, { ROLE: 'api', READ_CACHE_MB: megabytes }),
      startTenon(environment.databaseUrl, { ROLE: 'api', READ_CACHE_MB: '0' }),
    ]);
    const sides = [tenonSide(kept, 'half kept'), tenonSide(rendering, 'rendered each time')];
    const figures = await contest({ stage, sides, plan, connections: CONNECTIONS, goals: [1] }, { short, pairs });
    await Promise.all([kept.stop(), rendering.stop()]);
    return figures.map((figure) => ({ ...figure, name: `${kind}: ${figure.name}` }));
  };
  const figures = [
    ...(await run('detail', { inTurn: details }, form.detailMb)),
    ...(await run('list', { skips: form.skips, take: 50, headers: tenant.headers }, form.itemMb)),
  ];
  await stage.close();
  return {
    about: `Details in random order, and pages of 50 at a random skip, where READ_CACHE_MB holds about half of them, compared with READ_CACHE_MB=0, over ${CONNECTIONS} connections.`,
    figures,
  };
};
