import {
  CODE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../domain/identity/console-session.ts';
import { OWNER, type Role } from '../../../domain/identity/operator.ts';
import type { ConsoleSessions, SessionUse } from '../../../domain/ports/identity/console-sessions.ts';
import { bytesOfHex } from '../connection/hex.ts';
import type { Sql } from '../connection/sql.ts';
import {
  CREATE_CODE,
  END,
  END_BY_ID,
  EXCHANGE,
  LIST,
  LOOK,
  PURGE,
  START,
  START_ONCE,
  USE,
} from './console-session-statements.ts';

interface UserRow {
  readonly id: string;
  readonly operatorId: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly storeIds: readonly string[] | null;
}

const userOf = ([row]: readonly UserRow[]): SessionUse | null => {
  if (!row) return null;
  const { id, operatorId, name, role, storeIds } = row;
  // A session without an operator is one of the holder of the admin token.
  if (operatorId === null) return { id, actor: OWNER };
  return name === null || role === null ? null : { id, actor: { operatorId, name, role, storeIds } };
};

export const consoleSessions = (sql: Sql): ConsoleSessions => ({
  start: async (hash, tokenHash, operatorId, { address, agent }) => {
    const hashes = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    await sql.execute(START, { ...hashes, operatorId, address, agent, idleSeconds: SESSION_IDLE_SECONDS });
  },
  startOnce: async (attempt, hash, tokenHash, operatorId, { address, agent }) => {
    const hashes = { attempt: bytesOfHex(attempt.hash), hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const attemptExpiresAt = attempt.expiresAt;
    const given = { ...hashes, attemptExpiresAt, operatorId, address, agent, idleSeconds: SESSION_IDLE_SECONDS };
    return (await sql.execute(START_ONCE, given)) > 0;
  },
  createCode: async (hash, tokenHash, operatorId) => {
    const given = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash), operatorId, codeSeconds: CODE_SECONDS };
    const [row] = await sql.rows(CREATE_CODE, given);
    if (!row) throw new Error('An INSERT returned no row.');
    return row.expiresAt;
  },
  exchange: async (code, hash, tokenHash, { address, agent }) => {
    const given = {
      code: bytesOfHex(code),
      hash: bytesOfHex(hash),
      tokenHash: bytesOfHex(tokenHash),
      idleSeconds: SESSION_IDLE_SECONDS,
      address,
      agent,
    };
    return (await sql.execute(EXCHANGE, given)) > 0;
  },
  use: async (hash, tokenHash) =>
    userOf(
      await sql.rows(USE, {
        hash: bytesOfHex(hash),
        tokenHash: bytesOfHex(tokenHash),
        sessionSeconds: SESSION_SECONDS,
        idleSeconds: SESSION_IDLE_SECONDS,
        touchSeconds: SESSION_TOUCH_SECONDS,
      }),
    ),
  look: async (hash, tokenHash) => userOf(await sql.rows(LOOK, { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) })),
  list: async (tokenHash) =>
    (await sql.rows(LIST, { tokenHash: bytesOfHex(tokenHash) })).map(({ operatorId, name, ...session }) => ({
      ...session,
      operator: operatorId === null ? null : { id: operatorId, name: name ?? '' },
    })),
  end: async (hash) => {
    await sql.execute(END, { hash: bytesOfHex(hash) });
  },
  endById: async (id) => (await sql.execute(END_BY_ID, { id })) > 0,
  purge: (limit) => sql.execute(PURGE, { limit }),
});
