import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { runCommand } from '../support/command-line.ts';
import { call } from '../support/server.ts';
import { openShopOnCitus, type ShopOnCitus } from './shop-on-citus.ts';

const WRITERS = 6;
const MOVES = 6;
const STOCK = 'SELECT sum(available)::int AS available FROM inventory WHERE store_id = $1';
const TOTAL = 'SELECT sum(total_inventory)::int AS available FROM products WHERE store_id = $1';

let shop: ShopOnCitus;
let database: Database;

beforeAll(async () => {
  shop = await openShopOnCitus();
  database = openDatabase({ url: shop.citus.coordinator.url });
});
afterAll(async () => {
  await database.close();
  await shop.close();
});

const read = async (text: string, storeId: string): Promise<unknown> => (await database.pool.query(text, [storeId])).rows[0];

it('stock that many adjust while its shards move is what was acknowledged', async () => {
  const [{ storeId, headers }] = shop.apps as [ShopOnCitus['apps'][number]];
  const body = JSON.stringify({ variants: [{ sku: 'sku-0', stock: [{ warehouseId: randomUUID(), adjust: 1 }] }] });
  const adjust = async (key: string): Promise<void> => {
    const own = { ...headers, 'idempotency-key': key };
    const { status } = await call(`${shop.server.url}/apps/catalog/variants/bulk`, 'POST', own, body);
    // The end of a move may take longer than a statement may.
    if (status === 503) await adjust(key);
    else expect(status).toBe(200);
  };
  let adjustments = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      await adjust(randomUUID());
      adjustments += 1;
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  const env = { DATABASE_URL: shop.citus.coordinator.url };
  for (let move = 0; move < MOVES; move += 1) {
    const from = await shop.portOf(storeId);
    const to = shop.citus.workers.find(({ port }) => port !== from)?.port;
    const { status, err } = await runCommand(['shards', 'move', storeId, `127.0.0.1:${String(to)}`], { env });
    expect(status, err).toBe(0);
    expect(await shop.portOf(storeId)).toBe(to);
  }
  isOver = true;
  await writing;
  const acknowledged = { available: adjustments };
  expect(await read(STOCK, storeId)).toEqual(acknowledged);
  expect(await read(TOTAL, storeId)).toEqual(acknowledged);
});
