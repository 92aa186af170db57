import type { Operator, OperatorToken } from '../../../src/domain/identity/operator.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { OperatorTokens } from '../../../src/domain/ports/identity/operator-tokens.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { byCreation } from './identity-tables.ts';

interface Row {
  readonly operatorId: string;
  readonly token: OperatorToken;
}

const MINUTE = 60_000;

/** By the hash. */
export const operatorTokensOf = (state: MemoryState): Map<string, Row> => table<Row>(state, 'operator_tokens');

/** Returns true if the token has neither been revoked nor expired. */
export const isTokenValid = (state: MemoryState, id: string, now: number): boolean => {
  const found = [...operatorTokensOf(state).values()].find(({ token }) => token.id === id)?.token;
  return found !== undefined && (found.expiresAt === null || Date.parse(found.expiresAt) > now);
};

export const operatorTokens = (state: MemoryState, clock: Clock): OperatorTokens => {
  const present = (id: string): Operator | null => {
    const operator = table<Operator>(state, 'operators').get(id);
    return operator?.endedAt === null ? operator : null;
  };
  return {
    issue: async ({ id, operatorId, name, hash, expiresAt }) => {
      if (present(operatorId) === null) return null;
      const token: OperatorToken = { id, name, createdAt: isoTime(clock.now()), expiresAt, lastUsedAt: null };
      operatorTokensOf(state).set(hash, { operatorId, token });
      return token;
    },
    list: async (operatorId) =>
      [...operatorTokensOf(state).values()]
        .filter((row) => row.operatorId === operatorId)
        .map(({ token }) => token)
        .sort(byCreation),
    revoke: async (operatorId, id) => {
      const found = [...operatorTokensOf(state)].find(([, row]) => row.operatorId === operatorId && row.token.id === id);
      return found !== undefined && operatorTokensOf(state).delete(found[0]);
    },
    authenticate: async (hash) => {
      const row = operatorTokensOf(state).get(hash);
      const operator = row && present(row.operatorId);
      if (!row || !operator) return null;
      const { token } = row;
      const now = clock.now();
      if (token.expiresAt !== null && Date.parse(token.expiresAt) <= now) return null;
      if (token.lastUsedAt === null || Date.parse(token.lastUsedAt) <= now - MINUTE) {
        operatorTokensOf(state).set(hash, { ...row, token: { ...token, lastUsedAt: isoTime(now) } });
      }
      const { id, name, role, storeIds } = operator;
      return { id: token.id, actor: { operatorId: id, name, role, storeIds } };
    },
  };
};
