import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { request } from 'undici';

import type { SubscriptionFilter } from '../../src/domain/webhooks/subscription-filter.ts';
import { openEnvironment } from '../support/environment.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { fanOut } from '../../src/adapters/prisma/webhooks/fan-out/fan-out.ts';
import { openShop, subscribe, type SubscribeOptions } from '../support/shop.ts';
import { median, spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const SUBSCRIPTIONS = 1000;
const WRITES = { full: 100, short: 10 };

/** Sends a bulk update of one product, as the app; resolves with its milliseconds. */
type Write = (index: number) => Promise<number>;

/** Twenty, each with stock: a product whose detail has some 20 KB. */
const VARIANTS = Array.from({ length: 20 }, (_, n) => ({
  sku: `SAW-${n}`,
  currency: 'EUR',
  price: n,
  inventory: [{ available: n }],
}));

/** Every write passes it, so that the deliveries are the same. */
const FILTER: SubscriptionFilter = {
  all: [
    { path: 'name', op: 'changed' },
    { path: 'current.name', op: 'prefix', value: 'Saw' },
    { not: [{ path: 'current.status', op: 'eq', value: 'Archived' }] },
  ],
};

export const openWriter = async (
  tenon: Tenon,
  pool: pg.Pool,
  subscriptions: number,
  options: SubscribeOptions = {},
): Promise<Write> => (await openWriterIn(tenon, pool, subscriptions, options)).write;

const openWriterIn = async (tenon: Tenon, pool: pg.Pool, subscriptions: number, options: SubscribeOptions) => {
  const shop = await openShop(tenon);
  await subscribe(pool, shop, Array<string>(subscriptions).fill('http://127.0.0.1:9/'), ['product.updated'], options);
  const id = randomUUID();
  await tenon.admin('PUT', `/admin/stores/${shop.storeId}/products/${id}`, { name: 'Saw', variants: VARIANTS });
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: shop.clientId,
    client_secret: shop.clientSecret,
  });
  const answer = await request(`${tenon.url}/apps/token`, {
    method: 'POST',
    headers: { host: shop.domain, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const { accessToken } = (await answer.body.json()) as { accessToken: string };
  const write: Write = async (index) => {
    const begunAt = performance.now();
    const { statusCode, body } = await request(`${tenon.url}/apps/catalog/products/bulk`, {
      method: 'POST',
      headers: {
        host: shop.domain,
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ products: [{ id, name: `Saw ${index}` }] }),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
    return performance.now() - begunAt;
  };
  return { write, storeId: shop.storeId };
};

/** Medians of writes in turn, one of each: all meet the same machine. Each is first in its turn. */
export const inTurn = async <Name extends string>(
  writers: Readonly<Record<Name, Write>>,
  count: number,
): Promise<Record<Name, number>> => {
  const names = Object.keys(writers) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let index = 0; index < count; index += 1) {
    for (const at of names.keys()) {
      const name = names[(index + at) % names.length];
      if (name !== undefined) times.get(name)?.push(await writers[name](index));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
};

/**
 * The price of a write where nobody listens, where a thousand do, and where each of these has a filter: the fan-out is the
 * worker's.
 */
export const subscriptions = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const count = short ? WRITES.short : WRITES.full;
  const { databaseUrl, pool, close } = await openEnvironment();
  const tenon = await startTenon(databaseUrl, { ROLE: 'api' });
  const none = await openWriter(tenon, pool, 0);
  const many = await openWriter(tenon, pool, SUBSCRIPTIONS);
  const filtered = await openWriter(tenon, pool, SUBSCRIPTIONS, { filter: FILTER });
  const plain = await openWriterIn(tenon, pool, SUBSCRIPTIONS, {});
  const bringing = await openWriterIn(tenon, pool, SUBSCRIPTIONS, { include: ['product'] });
  const database = openDatabase({ url: databaseUrl });
  const round = () => inTurn({ none, many, filtered }, count);
  await round();
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let pair = 0; pair < pairs; pair += 1) rounds.push(await round());
  /** Writes an event, and resolves with the milliseconds of its fan-out. */
  const fanningOut =
    ({ write, storeId }: typeof plain): Write =>
    async (index) => {
      await write(index);
      const begunAt = performance.now();
      const { events } = await fanOut(database, storeId, 1);
      if (events !== 1) throw new Error(`${events} events were fanned out`);
      return performance.now() - begunAt;
    };
  const fanOutRound = () => inTurn({ plain: fanningOut(plain), bringing: fanningOut(bringing) }, Math.ceil(count / 4));
  await fanOutRound();
  const fanOuts: Awaited<ReturnType<typeof fanOutRound>>[] = [];
  for (let pair = 0; pair < pairs; pair += 1) fanOuts.push(await fanOutRound());
  await database.close();
  await tenon.stop();
  await close();
  return {
    about: `A bulk update of one product (ROLE=api, new keys, one after the other) in a store without subscriptions, in one with ${SUBSCRIPTIONS} subscriptions to product.updated, and in one where each of as many has a filter of three conditions, in turn, ${count} of each a round. Then the fan-out of one event to as many subscriptions, by itself, with the product included (20 variants) and without, in turn. The ratios are those of the medians.`,
    figures: [
      {
        name: `${SUBSCRIPTIONS} subscriptions to none`,
        unit: 'ratio',
        most: 1.1,
        ...spreadOf(rounds.map((round) => round.many / round.none)),
      },
      {
        name: `${SUBSCRIPTIONS} with a filter to ${SUBSCRIPTIONS} without`,
        unit: 'ratio',
        most: 1.1,
        ...spreadOf(rounds.map((round) => round.filtered / round.many)),
      },
      {
        name: `the fan-out of ${SUBSCRIPTIONS} with the product included to without`,
        unit: 'ratio',
        most: 1.5,
        ...spreadOf(fanOuts.map((round) => round.bringing / round.plain)),
      },
      { name: `the fan-out of ${SUBSCRIPTIONS}, p50`, unit: 'ms', ...spreadOf(fanOuts.map((round) => round.plain)) },
      { name: 'a write without subscriptions, p50', unit: 'ms', ...spreadOf(rounds.map((round) => round.none)) },
      { name: `a write with ${SUBSCRIPTIONS}, p50`, unit: 'ms', ...spreadOf(rounds.map((round) => round.many)) },
      { name: `a write with ${SUBSCRIPTIONS} filters, p50`, unit: 'ms', ...spreadOf(rounds.map((round) => round.filtered)) },
    ],
  };
};
