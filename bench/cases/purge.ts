import type pg from 'pg';

import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { startChild } from '../support/child.ts';
import { openGround } from '../support/ground.ts';
import type { Plan } from '../support/load.ts';
import type { Purged } from '../support/purger.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { bulkHeaders, keepPlan, lengthOf, openTenant, sendPlan } from '../support/stage.ts';
import type { Tenant } from '../support/stage.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';

const FORMS = {
  full: { rows: 10_000_000, chunk: 500_000, products: 100_000 },
  short: { rows: 60_000, chunk: 60_000, products: 300 },
};
const CONNECTIONS = 8;
/** A remembered key and a delivery of each of so many bulk requests a second come of age again. */
const PER_SECOND = 500;
const SUBSCRIPTIONS = 10;

const KEYS = `
  INSERT INTO idempotency_records (installation_id, key, fingerprint, status, headers, body, created_at, finished_at)
  SELECT $1::uuid, 'old-' || n, sha256(n::text::bytea), 200, '{"Content-Type": "application/json; charset=utf-8"}',
    convert_to(repeat('{"requested":1}', 15), 'UTF8'), now() - interval '26 hours', now() - interval '25 hours' - n * interval '1 millisecond'
  FROM generate_series($2::int, $3::int) AS n`;

/** Of ten subscriptions that are long gone; an attempt of each delivery. */
const DELIVERIES = `
  WITH told AS (
    INSERT INTO events (id, store_id, type, body, created_at)
    SELECT gen_random_uuid(), $1::uuid, 'product.updated', repeat('{"id":1}', 40), now() - interval '40 days' FROM generate_series($2::int, $3::int, ${SUBSCRIPTIONS})
    RETURNING id
  ), sent AS (
    INSERT INTO deliveries (id, store_id, event_id, subscription_id, status, attempts, created_at)
    SELECT uuid7(now() - interval '40 days'), $1::uuid, id, md5('subscription' || n)::uuid, 'Delivered', 1, now() - interval '40 days'
    FROM told CROSS JOIN generate_series(1, ${SUBSCRIPTIONS}) AS n RETURNING id
  )
  INSERT INTO delivery_attempts (delivery_id, number, started_at, duration_ms, status)
  SELECT id, 1, now() - interval '40 days', 12, 200 FROM sent`;

const fillOld = async (pool: pg.Pool, { storeId, installationId }: Tenant, rows: number, chunk: number): Promise<void> => {
  const client = await pool.connect();
  try {
    // Nothing of it refers to what is not there.
    await client.query('SET session_replication_role = replica');
    for (let from = 1; from <= rows; from += chunk) {
      await client.query(KEYS, [installationId, from, from + chunk - 1]);
      await client.query(DELIVERIES, [storeId, from, from + chunk - 1]);
      process.stderr.write(`${from + chunk - 1} keys and deliveries of old\n`);
    }
    for (const table of ['idempotency_records', 'events', 'deliveries', 'delivery_attempts'])
      await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    client.release(true);
  }
};

/** Requests with and without a purge beside them that has a mountain before it. */
export const purge = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const { rows, chunk, products } = FORMS[short ? 'short' : 'full'];
  const ground = await openGround();
  const load = startChild('support/load.ts');
  const tenon = await startTenon(ground.databaseUrl, { ROLE: 'api' });
  const tenant = await openTenant(tenon);
  await fillCatalogue(ground.pool, tenant.storeId, products);
  await fillOld(ground.pool, tenant, rows, chunk);
  const purger = startChild('support/purger.ts', { DATABASE_URL: ground.databaseUrl });
  const ids = await productIds(ground.pool, tenant.storeId, Math.min(products, 20_000));
  const get = (path: string) => ({ method: 'GET', path, headers: tenant.headers }) as const;
  const plans: Readonly<Record<string, Plan>> = {
    list: { inTurn: [get('/apps/catalog/products?take=50')] },
    detail: { inTurn: ids.slice(0, 1_000).map((id) => get(`/apps/catalog/products/${id}`)) },
    'bulk of 1': { bulk: { headers: bulkHeaders(tenant), ids, size: 1, slugShare: 0 } },
    'bulk of 20': { bulk: { headers: bulkHeaders(tenant), ids, size: 20, slugShare: 0 } },
  };
  const figures: Figure[] = [];
  const purges: Purged[] = [];
  for (const [plan, wanted] of Object.entries(plans)) {
    await keepPlan(load, plan, wanted);
    const round = async (): Promise<number> => {
      const { rate, errors } = await sendPlan(load, {
        plan,
        urls: [tenon.url],
        connections: CONNECTIONS,
        ...lengthOf(short, CONNECTIONS),
      });
      if (errors > 0) throw new Error(`${plan}: ${errors} errors`);
      return rate;
    };
    await round();
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const alone = await round();
      await purger.ask({ go: true });
      const beside = await round();
      const purged = await purger.ask<Purged>({ halt: true });
      // A fast machine purges a short form's rows before its last rounds.
      if (!short && (purged.keys === 0 || purged.deliveries === 0)) throw new Error('there was nothing left to purge');
      process.stderr.write(`${plan}: ${Math.round(alone)}/s alone, ${Math.round(beside)}/s beside\n`);
      purges.push(purged);
      ratios.push(beside / alone);
    }
    figures.push({ name: `${plan} beside the purge to alone`, unit: 'ratio', least: 0.9, ...spreadOf(ratios) });
  }
  const rate = (of: 'keys' | 'deliveries') => spreadOf(purges.map((purged) => (purged[of] * 1000) / purged.ms));
  await Promise.all([tenon.stop(), load.stop(), purger.stop()]);
  await ground.close();
  return {
    about: `${rows} expired keys and ${rows} deliveries older than the log, purged in batches by a process of its own while requests come over ${CONNECTIONS} connections; each round beside one without it.`,
    figures: [
      ...figures,
      { name: 'keys purged beside the requests', unit: 'rows/s', least: PER_SECOND, ...rate('keys') },
      { name: 'deliveries purged beside the requests', unit: 'rows/s', least: PER_SECOND, ...rate('deliveries') },
    ],
  };
};
