import { randomUUID } from 'node:crypto';
import type pg from 'pg';

import { beside } from '../support/beside.ts';
import { fillCatalogue, productIds, variantIds } from '../support/catalogue.ts';
import { answerOf, assertSame, contest } from '../support/contest.ts';
import type { Plan } from '../support/load.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { bulkHeaders, openTenant, startCeiling, tenonSide, type Side, type Tenant } from '../support/stage.ts';

const SIZE = 100;
const CONNECTIONS = 8;
/** Values that are new at each write, and the id of an event. */
const NEW = /"(?:concurrencyStamp|timestamp)":"[^"]*"|^\{"id":"[^"]*"/g;

const masked = (body: string): string => body.replaceAll(NEW, '');

/** All that a request left in the tables, but for what is new at each write. */
const traceOf = async (
  pool: pg.Pool,
  { storeId, installationId }: Tenant,
  key: string,
  ids: readonly string[],
): Promise<unknown> => {
  const select = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]> =>
    (await pool.query<R>(text, [...values])).rows;
  const events = await select<{ body: string }>(
    `SELECT type, resource_id, origin_installation_id, body, p.event_id IS NOT NULL AS pending
     FROM events e LEFT JOIN pending_events p ON p.store_id = e.store_id AND p.event_id = e.id WHERE e.store_id = $1 ORDER BY e.resource_id`,
    [storeId],
  );
  const memory = await select<{ body: Buffer }>(
    'SELECT fingerprint, status, headers, body, finished_at IS NOT NULL AS finished FROM idempotency_records WHERE store_id = $1 AND installation_id = $2 AND key = $3',
    [storeId, installationId, key],
  );
  return {
    products: await select(
      `SELECT p.id, total_inventory, min_price, max_price, p.updated_at > '-infinity' AS updated, p.revision <> p.store_id AS revised
       FROM products p JOIN variants v ON v.store_id = $1 AND v.product_id = p.id WHERE p.store_id = $1 AND v.id = ANY ($2::uuid[]) ORDER BY p.id`,
      [storeId, ids],
    ),
    stock: await select(
      `SELECT product_variant_id, warehouse_id, available, on_hand, reserved, updated_at > '-infinity' AS updated, concurrency_stamp <> store_id AS stamped
       FROM inventory WHERE store_id = $1 AND product_variant_id = ANY ($2::uuid[]) ORDER BY id`,
      [storeId, ids],
    ),
    events: events.map((event) => ({ ...event, body: masked(event.body) })),
    memory: memory.map((row) => ({ ...row, body: masked(row.body.toString()) })),
  };
};

/** Each side does the same to the same stock; what it answers and leaves in the tables must be the same. */
const compareWork = async (pool: pg.Pool, sides: readonly Side[], tenant: Tenant, ids: readonly string[]): Promise<void> => {
  const body = JSON.stringify({
    variants: ids.map((id, at) => ({ id, stock: [{ adjust: at % 2 === 0 ? at + 1 : -1 }] })),
  });
  const found: unknown[] = [];
  for (const side of sides) {
    await pool.query('DELETE FROM events WHERE store_id = $1', [tenant.storeId]);
    await pool.query(
      `UPDATE inventory SET available = 7, on_hand = 7, updated_at = '-infinity', concurrency_stamp = store_id WHERE store_id = $1 AND product_variant_id = ANY ($2::uuid[])`,
      [tenant.storeId, ids],
    );
    await pool.query(
      `UPDATE products p SET total_inventory = 7, updated_at = '-infinity', revision = p.store_id
       FROM variants v WHERE p.store_id = $1 AND v.store_id = $1 AND v.product_id = p.id AND v.id = ANY ($2::uuid[])`,
      [tenant.storeId, ids],
    );
    const key = randomUUID();
    const headers = { ...bulkHeaders(tenant), 'idempotency-key': key };
    const answer = await answerOf(side, { method: 'POST', path: '/apps/catalog/variants/bulk', headers, body });
    if (answer.status !== 200) throw new Error(`${side.name}: ${answer.status} ${answer.body}`);
    found.push({ answer: { ...answer, body: masked(answer.body) }, trace: await traceOf(pool, tenant, key, ids) });
  }
  assertSame('variants', found);
};

/** Adjustments of stock, beside the same by hand and beside the bulk update of as many products. */
export const variants = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? 300 : 100_000;
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  await fillCatalogue(environment.pool, tenant.storeId, count);
  const ceiling = await startCeiling(environment, 'variants.ts', tenant, { token: 'map', name: 'ceiling' });
  const sides = [tenonSide(tenon), ceiling];
  const products = await productIds(environment.pool, tenant.storeId, Math.min(count, 20_000));
  const ids = await variantIds(environment.pool, tenant.storeId, products);
  await compareWork(environment.pool, sides, tenant, ids.slice(0, 20));
  const headers = bulkHeaders(tenant);
  const plan: Plan = { variants: { headers, ids, size: SIZE, change: 'stock' } };
  const ofProducts: Plan = { bulk: { headers, ids: products, size: SIZE, slugShare: 0 } };
  const figures = await contest({ stage, sides, plan, connections: CONNECTIONS, goals: [0.85] }, { short, pairs });
  const { url } = tenon;
  const both = [
    { name: 'beside: variants', url, plan },
    { name: 'beside: products', url, plan: ofProducts },
  ] as const;
  const ratio = { name: 'ratio to the bulk update of products', least: 1, connections: CONNECTIONS };
  figures.push(...(await beside(stage.load, both, ratio, { short, pairs })));
  await ceiling.stop();
  await stage.close();
  return {
    about: `Bulk updates of the stock of ${SIZE} out of ${count} variants in random order, each of another product, with new keys, over ${CONNECTIONS} connections. Ceiling: Express and pg with one hand-written transaction that leaves the same rows (key, sorted locks, one UPDATE by unnest, events, remembered response). Its tokens are in a map. The ratio to the bulk update of products is that of rounds in turn at the same server.`,
    figures,
  };
};
