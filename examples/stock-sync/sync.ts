import { readFile } from 'node:fs/promises';
import type { Tenon, VariantChangeResult } from 'tenon-client';

import { readState, writeState, type Job, type Row, type State } from './state.ts';

/** The file of the warehouse: a line `sku,price,stock` for each SKU. */
const readRows = async (path: string): Promise<Record<string, Row>> => {
  const [, ...lines] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
  return Object.fromEntries(
    lines.map((line) => {
      const [sku = '', price, stock] = line.split(',');
      return [sku, { price: Number(price), stock: Number(stock) }];
    }),
  );
};

/**
 * The shop sells too, so the app sends how the warehouse's stock has changed, and not what it is. Only
 * of a SKU that is new to the app it sends the stock.
 */
const changeOf = (sku: string, row: Row, told: Row | undefined): Job['changes'] => {
  if (!told) return [{ sku, price: row.price, stock: [{ set: row.stock, ifAvailable: null }] }];
  const stock = row.stock === told.stock ? {} : { stock: [{ adjust: row.stock - told.stock }] };
  const price = row.price === told.price ? {} : { price: row.price };
  return 'stock' in stock || 'price' in price ? [{ sku, ...price, ...stock }] : [];
};

const plan = ({ id, jobs, told }: State, rows: Readonly<Record<string, Row>>): Job | null => {
  const changes = Object.entries(rows).flatMap(([sku, row]) => changeOf(sku, row, told[sku]));
  return changes.length > 0 ? { key: `stock-sync/${id}/${jobs}`, plannedAt: new Date().toISOString(), changes, rows } : null;
};

/** For how long a job is repeated. The store remembers a key for 24 hours, and would then make the same adjustments again. */
const REPEATED_MS = 20 * 3_600_000;
const TOO_OLD =
  'The last job is too old to repeat, and the store may have made its changes: compare the stock, then delete the state file to set all of it again.';

/** Aborted when the job becomes too old. A job without its time is too old. */
const untilTooOld = ({ plannedAt }: Job): AbortSignal => {
  const left = Date.parse(plannedAt) + REPEATED_MS - Date.now();
  if (!(left > 0)) throw new Error(TOO_OLD);
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error(TOO_OLD)), left).unref();
  return ending.signal;
};

export interface Files {
  /** File that the warehouse writes. */
  readonly source: string;
  /** File of the app's own state. */
  readonly state: string;
}

/**
 * Brings prices and stock to the store once. Whenever it is killed, the next call continues: a job is on
 * the disk before its first request, and goes with the same changes under the same key, so the store
 * makes each change once. Rejects when the job is too old for that: a person decides then.
 */
export const syncOnce = async (tenon: Tenon, { source, state: path }: Files): Promise<VariantChangeResult[]> => {
  let state = await readState(path);
  const job = state.job ?? plan(state, await readRows(source));
  if (job === null) return [];
  if (state.job === null) {
    state = { ...state, job };
    await writeState(path, state);
  }
  const told: Record<string, Row> = { ...state.told };
  const results: VariantChangeResult[] = [];
  for await (const result of tenon.variants.bulkUpdate(job.changes, { key: job.key, signal: untilTooOld(job) })) {
    const { sku = '' } = job.changes[results.length] ?? {};
    const row = job.rows[sku];
    // A failed change keeps its old values here, so that the next job sends it again.
    if (result.status !== 'Failed' && row) told[sku] = row;
    results.push(result);
  }
  await writeState(path, { ...state, jobs: state.jobs + 1, job: null, told });
  return results;
};
