import pg from 'pg';

import type { IdempotencyLock, KeyScope } from '../../../../src/domain/ports/idempotency/idempotency-repository.ts';
import type { Ports, TransactionPorts } from '../../../../src/domain/ports/index.ts';
import { refuse } from '../../../../src/domain/result.ts';
import type { NewEvent } from '../../../../src/domain/webhooks/event.ts';
import { aroundTransaction, type Around } from '../../../support/around-transaction.ts';
import { isOfFullDisk } from './disk.ts';
import { at } from './failpoints.ts';
import { noBarrier, noEpoch } from './failover-bugs.ts';
import { feedByTime } from './feed-bug.ts';
import type { Bug } from './commands.ts';
import { leaseOnWorker } from './lease-bug.ts';
import { bringsOlder, gathersAcross, noFilter, noOrder, replacesAnew } from './option-bugs.ts';
import { asksRedis, backsOff, noDeadline, readyIfAlive } from './outage-bugs.ts';

const withRun = (ports: Ports, around: Around): Ports => ({
  ...ports,
  transaction: aroundTransaction(ports.transaction, around),
});

/** The work commits, and then its remembered response in a transaction of its own. */
const splitCommit = (ports: Ports): Ports =>
  withRun(ports, async (run, work) => {
    let late: Parameters<IdempotencyLock['remember']> | undefined;
    const value = await run((tx) =>
      work({
        ...tx,
        idempotency: {
          ...tx.idempotency,
          remember: async (...args) => {
            late = args;
            await Promise.resolve();
          },
        },
      }),
    );
    if (late) {
      const given = late;
      await at('commit of write:after');
      await run((tx) => tx.idempotency.remember(...given));
    }
    return value;
  });

/** A key that a live runner has counts as free. */
const noLock = (ports: Ports): Ports =>
  withRun(ports, (run, work) =>
    run((tx) =>
      work({
        ...tx,
        idempotency: {
          ...tx.idempotency,
          lock: async (scope) => {
            const locked = await tx.idempotency.lock(scope);
            return locked ?? ports.idempotency.find(scope);
          },
        },
      }),
    ),
  );

/** Puts the key back to running after any error, also if only the answer to COMMIT was lost. */
const unconditionalCleanUp = (ports: Ports): Ports =>
  withRun(ports, async (run, work) => {
    let used: KeyScope | undefined;
    try {
      return await run((tx) =>
        work({
          ...tx,
          idempotency: {
            ...tx.idempotency,
            lock: (scope) => {
              used = scope;
              return tx.idempotency.lock(scope);
            },
          },
        }),
      );
    } catch (error) {
      if (used) {
        const scope = used;
        await run(async (tx) => {
          const locked = await tx.idempotency.lock(scope);
          if (locked) await tx.idempotency.reset(scope, locked.record.fingerprint);
        });
      }
      throw error;
    }
  });

/** The events are recorded once their change has committed. */
const outboxAfterCommit = (ports: Ports): Ports =>
  withRun(ports, async (run, work) => {
    const late: NewEvent[] = [];
    const value = await run((tx) =>
      work({
        ...tx,
        events: {
          append: async (events) => {
            late.push(...events);
            return Promise.resolve(events.map(({ id }) => id ?? ''));
          },
        },
      }),
    );
    await at('commit of write:after');
    if (late.length > 0) await run((tx) => tx.events.append(late));
    return value;
  });

/** The stock is written in a transaction of its own, once the answer is remembered. */
const stockAfterCommit = (ports: Ports): Ports =>
  withRun(ports, async (run, work) => {
    const late: Parameters<TransactionPorts['bulkVariants']['update']>[] = [];
    const value = await run((tx) =>
      work({
        ...tx,
        bulkVariants: {
          ...tx.bulkVariants,
          update: async (...args) => {
            late.push(args);
            await Promise.resolve();
          },
        },
      }),
    );
    if (late.length > 0) {
      await at('commit of write:after');
      await run(async (tx) => {
        for (const args of late) await tx.bulkVariants.update(...args);
      });
    }
    return value;
  });

/** Every worker may send, and none has to stop. */
const noLease = (ports: Ports): Ports => ({
  ...ports,
  workLeases: {
    ...ports.workLeases,
    acquire: () =>
      Promise.resolve({
        signal: new AbortController().signal,
        mayBegin: () => Promise.resolve(true),
        release: () => Promise.resolve(),
      }),
  },
});

/** Treats every error of the storage as an error of the image. */
const fullDiskFails = (ports: Ports): Ports => ({
  ...ports,
  mediaSource: {
    ...ports.mediaSource,
    fetch: (request, signal) =>
      ports.mediaSource.fetch(request, signal).catch((error: unknown) => {
        if (!isOfFullDisk(error)) throw error;
        return refuse('fetch_failed', 'The image could not be kept.');
      }),
  },
});

/** The work under a key does not wait for the disk either, and is answered before it is there. */
const noFlush = (ports: Ports): Ports => {
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const isBegin = (text: unknown): text is string => typeof text === 'string' && /^BEGIN.*force_generic_plan/.test(text);
  pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...rest: unknown[]) {
    return query.call(this, isBegin(first) ? `${first}; SET LOCAL synchronous_commit = off` : first, ...rest);
  } as typeof pg.Client.prototype.query;
  return ports;
};

const PLANTED: Readonly<Record<Bug, (ports: Ports, databaseUrl: string) => Ports>> = {
  'split-commit': splitCommit,
  'no-lock': noLock,
  'unconditional-clean-up': unconditionalCleanUp,
  'outbox-after-commit': outboxAfterCommit,
  'stock-after-commit': stockAfterCommit,
  'no-lease': noLease,
  'full-disk-fails': fullDiskFails,
  'feed-by-time': feedByTime,
  'no-flush': noFlush,
  'no-deadline': noDeadline,
  'backs-off': backsOff,
  'ready-if-alive': readyIfAlive,
  'asks-redis': asksRedis,
  'no-epoch': noEpoch,
  'no-barrier': noBarrier,
  'no-order': noOrder,
  'no-filter': noFilter,
  'replaces-anew': replacesAnew,
  'gathers-across': gathersAcross,
  'brings-older': bringsOlder,
  'lease-on-worker': leaseOnWorker,
};

/** The ports with this bug in them. */
export const withBug = (ports: Ports, plant: Bug | null, databaseUrl: string): Ports =>
  plant ? PLANTED[plant](ports, databaseUrl) : ports;
