import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

import type { Include } from '../../src/domain/webhooks/included.ts';
import type { SubscriptionFilter } from '../../src/domain/webhooks/subscription-filter.ts';

import type { Child } from './child.ts';
import type { Arrivals } from './receiver.ts';
import type { Tenon } from './tenon.ts';

export interface Shop {
  readonly storeId: string;
  readonly domain: string;
  readonly installationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const POLL_MS = 50;
const WAIT_MS = 30_000;
const SCOPES = [
  'read_products',
  'write_products',
  'write_inventory',
  'read_collections',
  'read_orders',
  'read_webhooks',
  'write_webhooks',
];

/** A store with one app. */
export const openShop = async ({ admin }: Tenon): Promise<Shop> => {
  const domain = `${randomUUID()}.example`;
  const { id: storeId } = await admin<{ id: string }>('POST', '/admin/stores', { domain });
  const { installation, clientId, clientSecret } = await admin<Shop & { installation: { id: string } }>(
    'POST',
    `/admin/stores/${storeId}/apps`,
    { name: 'Bench', scopes: SCOPES },
  );
  return { storeId, domain, installationId: installation.id, clientId, clientSecret };
};

export interface SubscribeOptions {
  readonly filter?: SubscriptionFilter | null;
  readonly include?: readonly Include[] | null;
}

/** Subscriptions of the app, with nothing sent for them: no ping disturbs the measure. */
export const subscribe = async (
  pool: pg.Pool,
  shop: Pick<Shop, 'storeId' | 'installationId'>,
  urls: readonly string[],
  eventTypes: readonly string[],
  { filter = null, include = null }: SubscribeOptions = {},
): Promise<string[]> => {
  const ids = urls.map(() => randomUUID());
  await pool.query(
    `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types, filter, include)
     SELECT id, $3, $4, url, $5, $6, $7 FROM unnest($1::uuid[], $2::text[]) AS s(id, url)`,
    [ids, urls, shop.storeId, shop.installationId, eventTypes, filter && JSON.stringify(filter), include],
  );
  return ids;
};

/**
 * Sends events of these stores in turn, at this rate a second, as the merchant. Resolves when all
 * are acknowledged.
 */
export const sendEvents = async (
  { admin }: Tenon,
  storeIds: readonly string[],
  { perSecond, count }: { readonly perSecond: number; readonly count: number },
): Promise<string[]> => {
  const begunAt = performance.now();
  const sent: Promise<{ eventId: string }>[] = [];
  for (let index = 0; index < count; index += 1) {
    const wait = begunAt + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const event = { type: 'order.paid', data: { number: index, text: 'x'.repeat(900) } };
    sent.push(admin('POST', `/admin/stores/${storeIds[index % storeIds.length] ?? ''}/events`, event));
  }
  return (await Promise.all(sent)).map(({ eventId }) => eventId);
};

/**
 * Milliseconds from the commit of each event (its row's own time, a little before it) to its
 * arrival; waits until all have arrived.
 */
export const delays = async (pool: pg.Pool, receiver: Child, eventIds: readonly string[]): Promise<number[]> => {
  const arrived = new Map<string, number>();
  for (let left = WAIT_MS; arrived.size < eventIds.length && left > 0; left -= POLL_MS) {
    const { at } = await receiver.ask<Arrivals>({ arrivals: true });
    for (const [id, time] of at) if (eventIds.includes(id) && !arrived.has(id)) arrived.set(id, time);
    if (arrived.size < eventIds.length) await pause(POLL_MS);
  }
  const { rows } = await pool.query<{ id: string; at: number }>(
    'SELECT id, extract(epoch FROM created_at)::float * 1000 AS at FROM events WHERE id = ANY($1::uuid[])',
    [eventIds],
  );
  if (arrived.size < rows.length) throw new Error(`${rows.length - arrived.size} of ${rows.length} events did not arrive`);
  return rows.map(({ id, at }) => (arrived.get(id) ?? NaN) - at);
};
