import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { request } from 'undici';

import { openGround } from '../support/ground.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openShop, subscribe } from '../support/shop.ts';
import { median, spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const SUBSCRIPTIONS = 1000;
const WRITES = { full: 100, short: 10 };

/** One bulk update of one product, as the app; resolves with its milliseconds. */
type Write = (index: number) => Promise<number>;

const openWriter = async (tenon: Tenon, pool: pg.Pool, subscriptions: number): Promise<Write> => {
  const shop = await openShop(tenon);
  await subscribe(pool, shop, Array<string>(subscriptions).fill('http://127.0.0.1:9/'), ['product.updated']);
  const id = randomUUID();
  await tenon.admin('PUT', `/admin/stores/${shop.storeId}/products/${id}`, { name: 'Saw' });
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
  return async (index) => {
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
};

/**
 * The price of a write where nobody listens and where a thousand do: the fan-out is the worker's.
 */
export const subscriptions = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const count = short ? WRITES.short : WRITES.full;
  const { databaseUrl, pool, close } = await openGround();
  const tenon = await startTenon(databaseUrl, { ROLE: 'api' });
  const none = await openWriter(tenon, pool, 0);
  const many = await openWriter(tenon, pool, SUBSCRIPTIONS);

  let index = 0;
  // Write by write in turn, each first every other time: both meet the same machine.
  const round = async (): Promise<{ none: number; many: number }> => {
    const times: { none: number[]; many: number[] } = { none: [], many: [] };
    for (let left = count; left > 0; left -= 1) {
      index += 1;
      if (index % 2 === 0) times.none.push(await none(index));
      times.many.push(await many(index));
      if (index % 2 === 1) times.none.push(await none(index));
    }
    return { none: median(times.none), many: median(times.many) };
  };
  await round();
  const rounds: { none: number; many: number }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) rounds.push(await round());
  await tenon.stop();
  await close();
  return {
    about: `A bulk update of one product (ROLE=api, new keys, one after the other) in a store without subscriptions and in one with ${SUBSCRIPTIONS} subscriptions to product.updated, in turn, ${count} of each a round. The ratio is that of the medians.`,
    figures: [
      {
        name: `${SUBSCRIPTIONS} subscriptions to none`,
        unit: 'ratio',
        most: 1.1,
        ...spreadOf(rounds.map((round) => round.many / round.none)),
      },
      { name: 'a write without subscriptions, p50', unit: 'ms', ...spreadOf(rounds.map((round) => round.none)) },
      { name: `a write with ${SUBSCRIPTIONS}, p50`, unit: 'ms', ...spreadOf(rounds.map((round) => round.many)) },
    ],
  };
};
