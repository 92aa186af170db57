import {
  CODE_SECONDS,
  MAX_CODES,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
  type SessionOrigin,
} from '../../../src/domain/identity/console-session.ts';
import { OWNER, type Actor, type Operator } from '../../../src/domain/identity/operator.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { ConsoleSessions, SessionUse, SignInAttemptKey } from '../../../src/domain/ports/identity/console-sessions.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { isTokenValid } from './operator-tokens.ts';

/** Times in milliseconds. */
interface Row extends SessionOrigin {
  readonly id: string;
  readonly kind: 'Session' | 'Code' | 'Used';
  readonly tokenHash: string;
  readonly operatorId: string | null;
  readonly tokenId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** By the hash. */
export const sessionRowsOf = (state: MemoryState): Map<string, Row> => table<Row>(state, 'console_sessions');

const NOWHERE = { address: null, agent: null };
const NOBODY = { operatorId: null, tokenId: null };

export const consoleSessions = (state: MemoryState, clock: Clock): ConsoleSessions => {
  const rows = (): Map<string, Row> => sessionRowsOf(state);
  let made = 0;
  const add = (hash: string, row: Omit<Row, 'id' | 'createdAt' | 'expiresAt'>, seconds: number): Row => {
    const now = clock.now();
    made += 1;
    const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
    const added = { ...row, id, createdAt: now, expiresAt: now + seconds * 1_000 };
    rows().set(hash, added);
    return added;
  };
  const mayOpen = (tokenId: string | null): boolean => tokenId === null || isTokenValid(state, tokenId, clock.now());
  const isValid = ({ kind, tokenHash, tokenId, expiresAt }: Row, meant: Row['kind'], under: string): boolean =>
    kind === meant && tokenHash === under && expiresAt > clock.now() && mayOpen(tokenId);
  const actorOf = (id: string | null): Actor | null => {
    if (id === null) return OWNER;
    const operator = table<Operator>(state, 'operators').get(id);
    if (operator?.endedAt !== null) return null;
    return { operatorId: id, name: operator.name, role: operator.role, storeIds: operator.storeIds };
  };
  const find = (hash: string, tokenHash: string): { row: Row; use: SessionUse } | null => {
    const row = rows().get(hash);
    const actor = row && isValid(row, 'Session', tokenHash) ? actorOf(row.operatorId) : null;
    return row && actor ? { row, use: { id: row.id, actor } } : null;
  };
  const use = (attempt: SignInAttemptKey, tokenHash: string): boolean => {
    if (rows().has(attempt.hash)) return false;
    const used = add(attempt.hash, { kind: 'Used', tokenHash, ...NOBODY, ...NOWHERE }, 0);
    rows().set(attempt.hash, { ...used, expiresAt: Date.parse(attempt.expiresAt) });
    return true;
  };
  return {
    start: async (hash, tokenHash, opener, origin) => {
      const given = opener ?? NOBODY;
      if (!mayOpen(given.tokenId)) return false;
      add(hash, { kind: 'Session', tokenHash, ...given, ...origin }, SESSION_IDLE_SECONDS);
      return true;
    },
    useOnce: async (attempt, tokenHash) => use(attempt, tokenHash),
    startOnce: async (attempt, hash, tokenHash, operatorId, origin) => {
      if (!use(attempt, tokenHash)) return false;
      add(hash, { kind: 'Session', tokenHash, operatorId, tokenId: null, ...origin }, SESSION_IDLE_SECONDS);
      return true;
    },
    createCode: async (hash, tokenHash, opener) => {
      const given = opener ?? NOBODY;
      if (!mayOpen(given.tokenId)) return null;
      const codes = [...rows()].filter(([, row]) => row.kind === 'Code' && row.operatorId === given.operatorId).reverse();
      for (const [oldest] of codes.slice(MAX_CODES - 1)) rows().delete(oldest);
      return isoTime(add(hash, { kind: 'Code', tokenHash, ...given, ...NOWHERE }, CODE_SECONDS).expiresAt);
    },
    lookAtCode: async (code, tokenHash) => {
      const row = rows().get(code);
      const actor = row && isValid(row, 'Code', tokenHash) ? actorOf(row.operatorId) : null;
      return actor && { operatorId: actor.operatorId, name: actor.name };
    },
    exchange: async (code, hash, tokenHash, origin) => {
      const row = rows().get(code);
      if (!row || !isValid(row, 'Code', tokenHash)) return false;
      rows().delete(code);
      add(
        hash,
        { kind: 'Session', tokenHash, operatorId: row.operatorId, tokenId: row.tokenId, ...origin },
        SESSION_IDLE_SECONDS,
      );
      return true;
    },
    use: async (hash, tokenHash) => {
      const found = find(hash, tokenHash);
      if (found === null) return null;
      const { row, use } = found;
      const renewed = Math.min(row.createdAt + SESSION_SECONDS * 1_000, clock.now() + SESSION_IDLE_SECONDS * 1_000);
      if (renewed > row.expiresAt + SESSION_TOUCH_SECONDS * 1_000) rows().set(hash, { ...row, expiresAt: renewed });
      return use;
    },
    look: async (hash, tokenHash) => find(hash, tokenHash)?.use ?? null,
    list: async (tokenHash) =>
      [...rows().keys()]
        .flatMap((hash) => find(hash, tokenHash) ?? [])
        .sort((a, b) => b.row.createdAt - a.row.createdAt || (a.row.id < b.row.id ? -1 : 1))
        .map(({ row: { id, address, agent, operatorId, createdAt, expiresAt }, use: { actor } }) => ({
          id,
          operator: operatorId === null ? null : { id: operatorId, name: actor.name },
          address,
          agent,
          startedAt: isoTime(createdAt),
          expiresAt: isoTime(expiresAt),
        })),
    end: async (hash) => {
      if (rows().get(hash)?.kind === 'Session') rows().delete(hash);
    },
    endById: async (id) => {
      const found = [...rows()].find(([, row]) => row.id === id && row.kind === 'Session');
      return found !== undefined && rows().delete(found[0]);
    },
    purge: async (limit) => {
      const expired = [...rows()].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
      for (const [hash] of expired) rows().delete(hash);
      return expired.length;
    },
  };
};
