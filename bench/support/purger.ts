import { runInBatches } from '../../src/adapters/node/background.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { timeOrderedIds } from '../../src/adapters/node/ids.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { answerParent } from './parent.ts';

/** Equals the worker's values. */
const BATCH = 1_000;
const KEY_SECONDS = 86_400;
const LOG_DAYS = 30;

export type PurgerRequest =
  /** Purges until it gets a request to halt. */
  | { readonly go: true }
  /** Answers a `Purged`. */
  | { readonly halt: true };

/** Rows of each kind, and how long it took. */
export interface Purged {
  readonly keys: number;
  readonly deliveries: number;
  readonly ms: number;
}

// Tenon's own purge, which its worker begins but once a minute: a batch of keys, of places in the feed and of deliveries, and again.
const database = openDatabase({ url: process.env['DATABASE_URL'] ?? '', connections: 2 });
const { idempotency, deliveries, eventFeed } = createPrismaPorts(database, {
  clock: systemClock,
  ids: timeOrderedIds(systemClock),
  idempotencyTtlSeconds: KEY_SECONDS,
});

let halt = new AbortController();
let running: Promise<Purged> = Promise.resolve({ keys: 0, deliveries: 0, ms: 0 });

const purge = async (): Promise<Purged> => {
  const done = { keys: 0, deliveries: 0 };
  const begunAt = performance.now();
  const batch = async (limit: number): Promise<number> => {
    done.keys += await idempotency.purge(limit);
    await eventFeed.purge(LOG_DAYS, limit);
    done.deliveries += await deliveries.purge(LOG_DAYS, limit);
    return limit;
  };
  await runInBatches(batch, BATCH, halt.signal);
  return { ...done, ms: performance.now() - begunAt };
};

answerParent((request: PurgerRequest): Promise<object> => {
  if ('halt' in request) {
    halt.abort();
    return running;
  }
  halt = new AbortController();
  running = purge();
  return Promise.resolve({});
});
