import type { Cause } from '../../../src/domain/cause.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type {
  IdempotencyLock,
  IdempotencyRepository,
  KnownKey,
} from '../../../src/domain/ports/idempotency/idempotency-repository.ts';
import type { Claim } from '../../../src/domain/ports/transaction.ts';
import type { MemoryState } from '../state.ts';
import { isInstalled, keyIdOf as idOf, keysOf as rowsOf, type KeyRow as Row } from './key-tables.ts';

const begun = (fingerprint: string, now: number): Row => ({
  fingerprint,
  response: null,
  since: now,
  firstAt: now,
  requestId: null,
});

const known = ({ fingerprint, response, since }: Row, clock: Clock, ttlSeconds: number): KnownKey => {
  const finished = since < clock.now() - ttlSeconds * 1000 ? 'expired' : 'finished';
  return {
    record: { state: response === null ? 'abandoned' : finished, fingerprint, replayable: response?.body != null },
    response,
  };
};

export const idempotencyRepository = (
  state: MemoryState,
  locked: ReadonlySet<string>,
  clock: Clock,
  ttlSeconds: number,
): IdempotencyRepository => ({
  find: async (scope) => {
    const row = rowsOf(state).get(idOf(scope));
    return row && isInstalled(state, scope) ? known(row, clock, ttlSeconds) : null;
  },
  purge: async (limit) => {
    const rows = rowsOf(state);
    const isOver = (id: string, { since }: Row): boolean =>
      since < clock.now() - ttlSeconds * 1000 || !isInstalled(state, { installationId: id.split(' ', 2)[1] ?? '' });
    const old = [...rows].filter(([id, row]) => !locked.has(id) && isOver(id, row)).slice(0, limit);
    for (const [id] of old) rows.delete(id);
    return old.length;
  },
});

export interface KeyLocks {
  readonly locked: Set<string>;
  readonly mine: Set<string>;
}

export const claimKey = (state: MemoryState, { scope, fingerprint }: Claim, clock: Clock): void => {
  const rows = rowsOf(state);
  if (!rows.has(idOf(scope))) rows.set(idOf(scope), begun(fingerprint, clock.now()));
};

export const idempotencyLock = (
  state: MemoryState,
  { locked, mine }: KeyLocks,
  { clock, ttlSeconds, cause }: { clock: Clock; ttlSeconds: number; cause: Cause },
): IdempotencyLock => ({
  lock: async (scope) => {
    const id = idOf(scope);
    const row = rowsOf(state).get(id);
    if (!row || (locked.has(id) && !mine.has(id))) return null;
    if (!isInstalled(state, scope)) return null;
    locked.add(id);
    mine.add(id);
    return known(row, clock, ttlSeconds);
  },
  reset: async (scope, fingerprint) => {
    rowsOf(state).set(idOf(scope), begun(fingerprint, clock.now()));
  },
  remember: async (scope, response) => {
    const row = rowsOf(state).get(idOf(scope));
    const requestId = cause?.requestId ?? null;
    if (row) rowsOf(state).set(idOf(scope), { ...row, response, requestId, since: clock.now() });
  },
});
