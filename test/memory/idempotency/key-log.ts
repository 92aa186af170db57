import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { KeyLife, KeyLog, KeyUses } from '../../../src/domain/ports/idempotency/key-log.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { eventsOf } from '../webhooks/event-repository.ts';
import { isInstalled, keyIdOf, keysOf, type KeyRow } from './key-tables.ts';

interface UseRow extends KeyUses {
  readonly since: number;
}

const usesOf = (state: MemoryState): Map<string, UseRow> => table<UseRow>(state, 'idempotency_uses');

const NONE = { replays: 0, conflicts: 0, mismatches: 0 };

export const keyLog = (state: MemoryState, locked: ReadonlySet<string>, clock: Clock, ttlSeconds: number): KeyLog => {
  const endOf = ({ since }: KeyRow): number => since + ttlSeconds * 1000;
  const stateOf = (id: string, row: KeyRow): KeyLife['state'] => {
    if (row.response === null) return locked.has(id) ? 'running' : 'abandoned';
    return endOf(row) < clock.now() ? 'expired' : 'finished';
  };
  /** The counts since the key began, or none. */
  const countsOf = (id: string, row: KeyRow): typeof NONE => {
    const uses = usesOf(state).get(id);
    if (uses?.since !== row.firstAt) return NONE;
    const { replays, conflicts, mismatches } = uses;
    return { replays, conflicts, mismatches };
  };
  const eventsCausedBy = ({ requestId }: KeyRow): string[] =>
    [...eventsOf(state).values()].flatMap((event) => (requestId !== null && event.requestId === requestId ? [event.id] : []));

  return {
    get: async (scope) => {
      const id = keyIdOf(scope);
      const row = keysOf(state).get(id);
      if (!row || !isInstalled(state, scope)) return null;
      const { response } = row;
      return {
        state: stateOf(id, row),
        firstAt: isoTime(row.firstAt),
        finishedAt: response && isoTime(row.since),
        expiresAt: response && isoTime(endOf(row)),
        status: response?.status ?? null,
        bytes: response?.body?.length ?? null,
        replayable: response?.body != null,
        ...countsOf(id, row),
        eventIds: eventsCausedBy(row).sort(),
      };
    },
    count: async (uses) => {
      for (const added of uses) {
        const id = keyIdOf(added);
        const row = keysOf(state).get(id);
        if (!row) continue;
        const before = countsOf(id, row);
        usesOf(state).set(id, {
          ...added,
          since: row.firstAt,
          replays: before.replays + added.replays,
          conflicts: before.conflicts + added.conflicts,
          mismatches: before.mismatches + added.mismatches,
        });
      }
    },
    purge: async (limit) => {
      const hasEnded = (id: string, { since }: UseRow): boolean =>
        since < clock.now() - ttlSeconds * 1000 && keysOf(state).get(id)?.firstAt !== since;
      const ended = [...usesOf(state)].filter(([id, row]) => hasEnded(id, row)).slice(0, limit);
      for (const [id] of ended) usesOf(state).delete(id);
      return ended.length;
    },
  };
};
