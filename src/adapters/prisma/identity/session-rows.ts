import { CODE_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../domain/identity/console-session.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { isUnexpired } from '../connection/unexpired.ts';

/** The two kinds of rows of the tables for sessions of app consoles. A code does not outlive its first end. */
const LIFE = {
  Session: { kind: 'Session', endsIn: SESSION_SECONDS, idleFor: SESSION_IDLE_SECONDS },
  Code: { kind: 'Code', endsIn: CODE_SECONDS, idleFor: CODE_SECONDS },
} as const;

/** Arguments of `opening` and `exchanging`. */
export const openedAs = (kind: keyof typeof LIFE, hash: string) => ({ hash: bytesOfHex(hash), ...LIFE[kind] });
export const OPENED = { hash: 'bytea', kind: 'text', endsIn: 'float8', idleFor: 'float8' } as const;

const ENDS_AT = 'statement_timestamp() + make_interval(secs => $endsIn)';
const EXPIRES_AT = 'statement_timestamp() + make_interval(secs => $idleFor)';

/** Opens a session or a code. `owner` has its other columns with their SQL, and `from` is SQL for who may open it. */
export const opening = (table: string, owner: Readonly<Record<string, string>>, from: string): string => `
    INSERT INTO ${table} AS opened (${Object.keys(owner).join(', ')}, hash, kind, ends_at, expires_at)
    SELECT ${Object.values(owner).join(', ')}, $hash, $kind, ${ENDS_AT}, ${EXPIRES_AT} FROM ${from}
    RETURNING opened.expires_at AS "expiresAt"`;

/**
 * The code `c` becomes the session. Of two requests with one code, the second waits for the first, and then
 * finds no code. `owners` is SQL for the owners that may have it, and `isTheirs` for which codes are theirs.
 */
export const exchanging = (table: string, owners: string, isTheirs: string): string => `
    WITH owners AS (${owners})
    UPDATE ${table} c SET hash = $hash, kind = $kind, created_at = now(), ends_at = ${ENDS_AT}, expires_at = ${EXPIRES_AT}
    FROM owners WHERE c.hash = $code AND c.kind = 'Code' AND ${isUnexpired('c.expires_at')} AND ${isTheirs}`;

/**
 * A session of the app console is used: its end moves, unless it is over. `condition` is SQL that it must meet as well.
 * `now` is SQL for the time.
 */
export const touching = (table: string, now: string, condition = ''): string => `
    UPDATE ${table} SET expires_at = LEAST(ends_at, ${now} + make_interval(secs => $idleSeconds))
    WHERE hash = $hash AND kind = 'Session' ${condition} AND ${isUnexpired('expires_at', now)}
      AND LEAST(ends_at, ${now} + make_interval(secs => $idleSeconds)) - expires_at > make_interval(secs => $touchSeconds)`;

/** Deletes the oldest sessions and codes that have expired, from a table that is not spread over servers. */
export const purging = (table: string) =>
  ({
    text: `
    DELETE FROM ${table} WHERE hash = ANY (ARRAY(
      SELECT hash FROM ${table} WHERE expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
    parameters: { limit: 'int8' },
  }) as const;
