import {
  CODE_SECONDS,
  MAX_CODES,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../domain/identity/console-session.ts';
import { OWNER, type Role } from '../../../domain/identity/operator.ts';
import type { ConsoleSessions, SessionOpener, SessionUse } from '../../../domain/ports/identity/console-sessions.ts';
import { bytesOfHex } from '../connection/hex.ts';
import type { Sql } from '../connection/sql.ts';
import {
  CREATE_CODE,
  END_CONSOLE_SESSION,
  END_BY_ID,
  EXCHANGE,
  LIST_CONSOLE_SESSIONS,
  LOOK,
  LOOK_AT_CODE,
  PURGE_CONSOLE_SESSIONS,
  START_CONSOLE_SESSION,
  START_ONCE,
  USE,
  USE_ONCE,
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

const idsOf = (opener: SessionOpener | null) => ({
  operatorId: opener?.operatorId ?? null,
  tokenId: opener?.tokenId ?? null,
});

export const consoleSessions = (sql: Sql): ConsoleSessions => ({
  start: async (hash, tokenHash, opener, { address, agent }) => {
    const hashes = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const given = { ...hashes, ...idsOf(opener), address, agent, idleSeconds: SESSION_IDLE_SECONDS };
    return (await sql.execute(START_CONSOLE_SESSION, given)) > 0;
  },
  useOnce: async ({ hash, expiresAt }, tokenHash) => {
    const given = { attempt: bytesOfHex(hash), attemptExpiresAt: expiresAt, tokenHash: bytesOfHex(tokenHash) };
    return (await sql.execute(USE_ONCE, given)) > 0;
  },
  startOnce: async (attempt, hash, tokenHash, operatorId, { address, agent }) => {
    const hashes = { attempt: bytesOfHex(attempt.hash), hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const attemptExpiresAt = attempt.expiresAt;
    const given = { ...hashes, attemptExpiresAt, operatorId, address, agent, idleSeconds: SESSION_IDLE_SECONDS };
    return (await sql.execute(START_ONCE, given)) > 0;
  },
  createCode: async (hash, tokenHash, opener) => {
    const hashes = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const given = { ...hashes, ...idsOf(opener), codeSeconds: CODE_SECONDS, others: MAX_CODES - 1 };
    return (await sql.rows(CREATE_CODE, given))[0]?.expiresAt ?? null;
  },
  lookAtCode: async (code, tokenHash) => {
    const [row] = await sql.rows(LOOK_AT_CODE, { code: bytesOfHex(code), tokenHash: bytesOfHex(tokenHash) });
    return row ? { operatorId: row.operatorId, name: row.name ?? OWNER.name } : null;
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
    (await sql.rows(LIST_CONSOLE_SESSIONS, { tokenHash: bytesOfHex(tokenHash) })).map(({ operatorId, name, ...session }) => ({
      ...session,
      operator: operatorId === null ? null : { id: operatorId, name: name ?? '' },
    })),
  end: async (hash) => {
    await sql.execute(END_CONSOLE_SESSION, { hash: bytesOfHex(hash) });
  },
  endById: async (id) => (await sql.execute(END_BY_ID, { id })) > 0,
  purge: (limit) => sql.execute(PURGE_CONSOLE_SESSIONS, { limit }),
});
