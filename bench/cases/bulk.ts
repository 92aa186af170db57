import { randomUUID } from 'node:crypto';
import type pg from 'pg';

import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { answerOf, assertSame, contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { bulkHeaders, openTenant, startCeiling, tenonSide, type Side, type Tenant } from '../support/stage.ts';

interface Shape {
  /** Products of a request, and of how many they are chosen. */
  readonly size: number;
  readonly among: { readonly full: number; readonly short: number };
  readonly connections: number;
  readonly slugShare: number;
  readonly goal: number;
}

/** Columns that are new at each write. */
const OWN = new Set(['updated_at', 'revision']);
const MASKED = { id: '', timestamp: '', updated_at: '' };

/**
 * All that a request left in the tables, in a form in which two requests of the same kind leave the
 * same.
 */
const traceOf = async (
  pool: pg.Pool,
  { storeId, installationId }: Tenant,
  key: string,
  ids: readonly string[],
): Promise<unknown> => {
  const select = async (text: string, values: readonly unknown[]): Promise<unknown[]> =>
    (await pool.query<{ row: object }>(`SELECT to_jsonb(r) AS row FROM (${text}) r`, [...values])).rows.map(({ row }) => row);
  const events = (await select(
    `SELECT type, resource_id, origin_installation_id, body, p.event_id IS NOT NULL AS pending
     FROM events e LEFT JOIN pending_events p ON p.store_id = e.store_id AND p.event_id = e.id WHERE e.store_id = $1 ORDER BY e.resource_id`,
    [storeId],
  )) as { body: string }[];
  return {
    products: await select(
      'SELECT *, $3::timestamptz < updated_at AS updated, revision <> store_id AS revised FROM products WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id',
      [storeId, ids, '2026-01-01'],
    ),
    history: await select('SELECT slug, product_id FROM slug_history WHERE store_id = $1 ORDER BY slug', [storeId]),
    memory: await select(
      'SELECT fingerprint, status, headers, body, finished_at IS NOT NULL AS finished FROM idempotency_records WHERE store_id = $1 AND installation_id = $2 AND key = $3',
      [storeId, installationId, key],
    ),
    events: events.map(({ body, ...event }) => ({ ...event, body: { ...(JSON.parse(body) as object), ...MASKED } })),
  };
};

/**
 * Each side does the same to the same products; what it answers and what it leaves in the tables
 * must be the same.
 */
const compareWork = async (pool: pg.Pool, sides: readonly Side[], tenant: Tenant, ids: readonly string[]): Promise<void> => {
  const products = ids.map((id, at) => ({ id, metaTitle: `Compared ${at}`, ...(at === 0 && { slug: 'compared' }) }));
  const found: unknown[] = [];
  for (const side of sides) {
    await pool.query('DELETE FROM events WHERE store_id = $1', [tenant.storeId]);
    await pool.query('DELETE FROM slug_history WHERE store_id = $1', [tenant.storeId]);
    await pool.query(
      `UPDATE products SET slug = 'before-' || id, meta_title = 'Before', updated_at = '-infinity', revision = store_id WHERE store_id = $1 AND id = ANY ($2::uuid[])`,
      [tenant.storeId, ids],
    );
    const key = randomUUID();
    const answer = await answerOf(side, {
      method: 'POST',
      path: '/apps/catalog/products/bulk',
      headers: { ...bulkHeaders(tenant), 'idempotency-key': key },
      body: JSON.stringify({ products }),
    });
    if (answer.status !== 200) throw new Error(`${side.name}: ${answer.status} ${answer.body}`);
    const trace = await traceOf(pool, tenant, key, ids);
    found.push({
      answer,
      trace: JSON.parse(JSON.stringify(trace, (name, value: unknown) => (OWN.has(name) ? '' : value))),
    });
  }
  assertSame('bulk', found);
};

const bulk =
  ({ size, among, connections, slugShare, goal }: Shape) =>
  async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
    const count = short ? among.short : among.full;
    const stage = await open();
    const { environment, tenon } = stage;
    const tenant = await openTenant(tenon);
    await fillCatalogue(environment.pool, tenant.storeId, count);
    const ceiling = await startCeiling(environment, 'bulk.ts', tenant, { token: 'map', name: 'ceiling' });
    const sides = [tenonSide(tenon), ceiling];
    const ids = await productIds(environment.pool, tenant.storeId, Math.min(count, 20_000));
    await compareWork(environment.pool, sides, tenant, ids.slice(0, Math.min(size, 20)));
    const plan = { bulk: { headers: bulkHeaders(tenant), ids, size, slugShare } };
    const figures = await contest({ stage, sides, plan, connections, goals: [goal] }, { short, pairs });
    await ceiling.stop();
    await stage.close();
    const slugs = slugShare > 0 ? `, new slugs for ${slugShare * 100} %` : '';
    return {
      about: `Bulk updates of ${size} out of ${count} products in random order, with new meta titles${slugs} and new keys, over ${connections} connections. Ceiling: Express and pg with one hand-written transaction that leaves the same rows (key, sorted locks, one UPDATE by unnest, events, remembered response). Its tokens are in a map.`,
      figures,
    };
  };

const WHOLE = { full: 100_000, short: 300 };

export const bulkOne = bulk({ size: 1, among: WHOLE, connections: 8, slugShare: 0, goal: 0.8 });
export const bulkHundred = bulk({ size: 100, among: WHOLE, connections: 8, slugShare: 0, goal: 0.9 });
export const bulkMost = bulk({ size: 250, among: WHOLE, connections: 8, slugShare: 0, goal: 0.6 });
/** All clients change the same few products: locks in another order would end in deadlocks. */
export const bulkContended = bulk({ size: 20, among: { full: 200, short: 200 }, connections: 32, slugShare: 0.1, goal: 0.5 });
