import {
  CODE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../src/domain/identity/console-session.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { ConsoleSessions } from '../../../src/domain/ports/identity/console-sessions.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';

/** Times in milliseconds. */
interface Row {
  readonly kind: 'Session' | 'Code';
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const consoleSessions = (state: MemoryState, clock: Clock): ConsoleSessions => {
  const rows = (): Map<string, Row> => table<Row>(state, 'console_sessions');
  const add = (hash: string, kind: Row['kind'], tokenHash: string, seconds: number): Row => {
    const now = clock.now();
    const row = { kind, tokenHash, createdAt: now, expiresAt: now + seconds * 1_000 };
    rows().set(hash, row);
    return row;
  };
  const find = (hash: string, kind: Row['kind'], tokenHash: string): Row | null => {
    const row = rows().get(hash);
    return row?.kind === kind && row.tokenHash === tokenHash && row.expiresAt > clock.now() ? row : null;
  };
  return {
    start: async (hash, tokenHash) => void add(hash, 'Session', tokenHash, SESSION_IDLE_SECONDS),
    createCode: async (hash, tokenHash) => isoTime(add(hash, 'Code', tokenHash, CODE_SECONDS).expiresAt),
    exchange: async (code, hash, tokenHash) => {
      if (find(code, 'Code', tokenHash) === null) return false;
      rows().delete(code);
      add(hash, 'Session', tokenHash, SESSION_IDLE_SECONDS);
      return true;
    },
    use: async (hash, tokenHash) => {
      const row = find(hash, 'Session', tokenHash);
      if (row === null) return false;
      const renewed = Math.min(row.createdAt + SESSION_SECONDS * 1_000, clock.now() + SESSION_IDLE_SECONDS * 1_000);
      if (renewed > row.expiresAt + SESSION_TOUCH_SECONDS * 1_000) rows().set(hash, { ...row, expiresAt: renewed });
      return true;
    },
    isValid: async (hash, tokenHash) => find(hash, 'Session', tokenHash) !== null,
    end: async (hash) => void rows().delete(hash),
    purge: async (limit) => {
      const expired = [...rows()].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
      for (const [hash] of expired) rows().delete(hash);
      return expired.length;
    },
  };
};
