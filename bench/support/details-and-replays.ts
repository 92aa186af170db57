import { fillCatalogue, importRich, productIds } from './catalogue.ts';
import type { Prepared } from './load.ts';
import { bulkHeaders, keepPlan, openTenant, sendPlan, type Stage } from './stage.ts';

/** Requests for which PostgreSQL does much, and requests for which it does little. */
export interface DetailsAndReplays {
  readonly details: readonly Prepared[];
  readonly replays: readonly Prepared[];
}

/** Makes `count` products, and the requests for them. `keys` begins the idempotency keys. */
export const detailsAndReplays = async (stage: Stage, count: number, keys: string): Promise<DetailsAndReplays> => {
  const { environment, tenon, load } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const details = (await importRich(tenon, tenant, Math.min(count, 500))).map((id): Prepared => ({
    method: 'GET',
    path: `/apps/catalog/products/${id}`,
    headers: tenant.headers,
  }));
  const replays = (await productIds(environment.pool, tenant.storeId, count)).map((id): Prepared => ({
    method: 'POST',
    path: '/apps/catalog/products/bulk',
    headers: { ...bulkHeaders(tenant), 'idempotency-key': `${keys}-${id}` },
    body: JSON.stringify({ products: [{ id, metaTitle: `Replayed ${id}` }] }),
  }));
  await keepPlan(load, 'first', { inTurn: replays });
  await sendPlan(load, { plan: 'first', urls: [tenon.url], connections: 8, amount: replays.length });
  return { details, replays };
};
