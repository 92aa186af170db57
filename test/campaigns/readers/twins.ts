import { randomUUID } from 'node:crypto';
import type pg from 'pg';

import type { Random } from '../faults/random.ts';
import type { Node } from './client.ts';
import { listPages, listPath } from './pages.ts';
import { readOnce, type Readers } from './reads.ts';
import type { StoreRecord } from './record.ts';
import { putProduct } from './writes.ts';

/** The tables whose rows a migration gave one revision, in all stores (20261123080000_revisions). */
const REVISED = ['products', 'categories', 'tax_classes', 'collections'];

/** Reads of a page in each of the stores, at once. */
const AT_ONCE = 4;
const PAGES = 3;

/** Two stores with the same ids and with texts of their own. What changes one of them waits for its turn. */
export interface Twins {
  readonly records: readonly StoreRecord[];
  readonly turn: <T>(run: () => Promise<T>) => Promise<T>;
}

export const createTwins = (records: readonly StoreRecord[]): Twins => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    records,
    turn: (run) => {
      const next = last.then(run);
      last = next.catch(() => undefined);
      return next;
    },
  };
};

/** Every row gets the revision that no other row but those of its table has, as in a database that was just migrated. */
const align = async (pool: pg.Pool, { records }: Twins): Promise<void> => {
  const storeIds = records.map(({ shop }) => shop.storeId);
  for (const table of REVISED)
    await pool.query(`UPDATE ${table} SET revision = $1 WHERE store_id = ANY ($2)`, [randomUUID(), storeIds]);
};

/** Gives both stores the same products and revisions. Then reads some pages of both at once, which no node keeps. */
export const alignAndRead = async (pool: pg.Pool, twins: Twins, readers: Readers): Promise<void> => {
  const { random, nodes } = readers;
  await twins.turn(async () => {
    for (const record of twins.records) await restoreDeleted(random, record, random.pick(nodes));
    await align(pool, twins);
    for (let count = 0; count < PAGES; count += 1) {
      const path = listPath(random.pick(listPages([]).filter(({ filter }) => Object.keys(filter).length === 0)));
      const node = random.pick(nodes);
      const both = Array.from({ length: AT_ONCE }, () => twins.records).flat();
      await Promise.all(both.map((record) => readOnce(readers, { record, path, node })));
    }
  });
};

const restoreDeleted = async (random: Random, record: StoreRecord, node: Node): Promise<void> => {
  for (const id of [...record.shop.deleted]) {
    await putProduct({ random, record, node }, id);
    record.shop.deleted.delete(id);
  }
};
