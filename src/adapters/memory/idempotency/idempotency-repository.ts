import type { Clock } from '../../../domain/ports/clock.ts';
import type { IdempotencyLock, IdempotencyRepository, KeyScope, KnownKey } from '../../../domain/ports/idempotency-repository.ts';
import { installationsOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { keyIdOf as idOf, keysOf as rowsOf } from './key-tables.ts';
import type { KeyRow as Row } from './key-tables.ts';

const begun = (fingerprint: string, now: number): Row => ({
  fingerprint,
  response: null,
  since: now,
  firstAt: now,
  requestId: null,
});

const isInstalled = (state: MemoryState, { installationId }: KeyScope): boolean =>
  installationsOf(state).get(installationId)?.status !== 'Uninstalled';

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
    return row ? known(row, clock, ttlSeconds) : null;
  },
  purge: async (limit) => {
    const rows = rowsOf(state);
    const old = [...rows].filter(([id, row]) => !locked.has(id) && row.since < clock.now() - ttlSeconds * 1000).slice(0, limit);
    for (const [id] of old) rows.delete(id);
    return old.length;
  },
});

export interface KeyLocks {
  /** The keys of all live transactions. */
  readonly locked: Set<string>;
  /** Those of this one. */
  readonly mine: Set<string>;
  /** What was written so far is not part of the transaction. */
  readonly begin: () => void;
}

export const idempotencyLock = (
  state: MemoryState,
  { locked, mine, begin }: KeyLocks,
  clock: Clock,
  ttlSeconds: number,
): IdempotencyLock => ({
  claim: async (scope, fingerprint) => {
    if (mine.size > 0) throw new Error('The transaction has begun.');
    const rows = rowsOf(state);
    if (!rows.has(idOf(scope))) rows.set(idOf(scope), begun(fingerprint, clock.now()));
    begin();
  },
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
  remember: async (scope, response, requestId = null) => {
    const row = rowsOf(state).get(idOf(scope));
    if (row) rowsOf(state).set(idOf(scope), { ...row, response, requestId, since: clock.now() });
  },
});
