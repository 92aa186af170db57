import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Cause } from '../../src/domain/cause.ts';
import type { Transaction, TransactionPorts, Work } from '../../src/domain/ports/transaction.ts';
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
import { noting } from './noting.ts';
import { createMemoryState, snapshot, type MemoryState } from './state.ts';
import { eventRepository } from './webhooks/event-repository.ts';
import { webhookPorts } from './webhooks/index.ts';

export interface MemoryPortsOptions extends IdentityOptions {
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
}

/**
 * Ports without I/O, for tests of the application. A transaction that throws restores every table.
 * Transactions that run at the same time wait for each other's locks, and are not isolated
 * otherwise.
 */
export const createMemoryPorts = (options: MemoryPortsOptions, state: MemoryState = createMemoryState()) => {
  const { clock, ids, idempotencyTtlSeconds: ttl } = options;
  const locked = new Set<string>();
  const locks = createLocks();
  const transactionPorts = (keys: KeyLocks, own: TransactionLocks, cause: Cause): TransactionPorts => ({
    ...catalogueWrites(state, own),
    ...identityWrites(state, clock, own),
    ...mediaWrites(state, clock, own, cause),
    events: eventRepository(state, options, cause),
    idempotency: idempotencyLock(state, keys, { clock, ttlSeconds: ttl, cause }),
    metaobjects: metaobjectWrites(state, clock, own),
  });
  const idempotency = idempotencyRepository(state, locked, clock, ttl);
  const run = async <T>(cause: Cause, work: Work<T>): Promise<T> => {
    const restore = snapshot(state);
    const mine = new Set<string>();
    const own = locks.open();
    const { ports, check } = noting(transactionPorts({ locked, mine }, own, cause));
    try {
      const value = await work(ports);
      check();
      return value;
    } catch (error) {
      restore();
      throw error;
    } finally {
      for (const id of mine) locked.delete(id);
      own.release();
    }
  };
  return {
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
  };
};
