import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Cause } from '../../src/domain/cause.ts';
import { DatabaseUnavailable, type Transaction, type TransactionPorts, type Work } from '../../src/domain/ports/transaction.ts';
import { cataloguePorts, catalogueWrites } from './catalogue/index.ts';
import { metaobjectRepository, metaobjectWrites } from './custom-data/metaobject-repository.ts';
import { storeErasure } from './erasure/store-erasure.ts';
import { claimKey, idempotencyLock, idempotencyRepository, type KeyLocks } from './idempotency/idempotency-repository.ts';
import { keyLog } from './idempotency/key-log.ts';
import { admission } from './identity/admission.ts';
import { identityPorts, identityWrites, type IdentityOptions } from './identity/index.ts';
import { insightPorts } from './insight/index.ts';
import { locator } from './locator.ts';
import { createLocks, type TransactionLocks } from './locks.ts';
import { mediaPorts, mediaWrites } from './media/index.ts';
import { noting, refusingNul } from './noting.ts';
import { createMemoryState, openTransactionState, type MemoryState } from './state.ts';
import { eventRepository } from './webhooks/event-repository.ts';
import { webhookPorts } from './webhooks/index.ts';

/** Transactions that the engine prefers to ours. */
export interface Conflicts {
  /** How many of our next transactions it refuses. */
  left: number;
}

/** The engine refuses a transaction. */
class Refused extends Error {}

/** Work is refused this often before it is an outage. */
const TRIES = 4;

export interface MemoryPortsOptions extends IdentityOptions {
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  readonly conflicts?: Conflicts;
  /** How often work is tried that the engine refuses. */
  readonly tries?: number;
}

/**
 * Ports without I/O, for tests of the application. A transaction sees its own rows and what others have committed, and waits for
 * their locks.
 */
export const createMemoryPorts = (options: MemoryPortsOptions, state: MemoryState = createMemoryState()) => {
  const { clock, ids, idempotencyTtlSeconds: ttl, conflicts = { left: 0 }, tries = TRIES } = options;
  const locked = new Set<string>();
  const locks = createLocks();
  const transactionPorts = (state: MemoryState, keys: KeyLocks, own: TransactionLocks, cause: Cause): TransactionPorts => ({
    ...catalogueWrites(state, own),
    ...identityWrites(state, clock, own),
    ...mediaWrites(state, clock, own, cause),
    events: eventRepository(state, options, cause),
    idempotency: idempotencyLock(state, keys, { clock, ttlSeconds: ttl, cause }),
    metaobjects: metaobjectWrites(state, clock, own),
  });
  const idempotency = idempotencyRepository(state, locked, clock, ttl);
  const isRefused = (): boolean => conflicts.left > 0 && (conflicts.left -= 1) >= 0;
  const runOnce = async <T>(cause: Cause, work: Work<T>): Promise<T> => {
    const { state: inside, commit } = openTransactionState(state);
    const mine = new Set<string>();
    const own = locks.open();
    const { ports, check } = noting(transactionPorts(inside, { locked, mine }, own, cause));
    try {
      const value = await work(ports);
      check();
      if (isRefused()) throw new Refused();
      commit();
      return value;
    } finally {
      for (const id of mine) locked.delete(id);
      own.release();
    }
  };
  const run = async <T>(cause: Cause, work: Work<T>): Promise<T> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await runOnce(cause, work);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (tried === tries) throw new DatabaseUnavailable('The engine preferred other transactions.', { cause: error });
      }
    }
  };
  return refusingNul({
    transaction: {
      run,
      runClaimed: async (claim, work) => {
        claimKey(state, claim, clock);
        return run(claim.cause, work);
      },
    } satisfies Transaction,
    ...cataloguePorts(state, clock),
    ...identityPorts(state, options),
    ...insightPorts(state, { clock, ids, locked }),
    ...mediaPorts(state, clock, locks),
    ...webhookPorts(state, options),
    admission: admission(state, clock, idempotency),
    idempotency,
    keyLog: keyLog(state, locked, clock, ttl),
    locator: locator(state),
    metaobjects: metaobjectRepository(state),
    storeErasure: storeErasure(state, clock),
  });
};
