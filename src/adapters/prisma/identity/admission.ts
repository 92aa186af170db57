import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from '../../../domain/identity/console-session.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import type { Admission, Authentication } from '../../../domain/ports/identity/admission.ts';
import type { Database } from '../connection/database.ts';
import { oneOf, type RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { KEY_FIELDS, knownKey, OUTER_KEY_COLUMNS, type KeyRow, type OuterKeyRow } from '../idempotency/key-record.ts';
import { PRODUCT_VERSION, WITH_CATEGORY, WITH_TAX_CLASS } from '../reading/revision.ts';
import { bytesOfHex } from '../connection/hex.ts';

/** `from` names what is looked up by its hash: `t`, which has an end and an installation. */
const authenticating = (from: string, columns: string, join: string): string => `
  SELECT i.id AS "installationId", i.store_id AS "storeId", i.scopes,
    CASE WHEN s.domain <> $domain THEN 'wrong_store'
         WHEN s.status <> 'Active' THEN 'store_inactive'
         WHEN i.status = 'Uninstalled' THEN 'uninstalled'
         WHEN i.status <> 'Installed' THEN 'suspended'
         WHEN t.expires_at = '-infinity' THEN 'revoked'
         WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS reason${columns}
  FROM ${from}
  JOIN installations i ON i.id = t.installation_id
  JOIN stores s ON s.id = i.store_id ${join}
  WHERE t.hash = $hash`;

const CALLER = {
  installationId: 'uuid',
  storeId: 'uuid',
  scopes: oneOf('text[]!', ALL_SCOPES),
  reason: oneOf('text?', ['wrong_store', 'store_inactive', 'uninstalled', 'suspended', 'revoked', 'expired']),
} as const;

const AUTHENTICATE = statement({
  text: authenticating('access_tokens t', '', ''),
  parameters: { hash: 'bytea', domain: 'text' },
  row: CALLER,
});

const KEY = 'LEFT JOIN idempotency_records r ON r.installation_id = i.id AND r.key = $key AND r.finished_at IS NOT NULL';

/**
 * One statement for both, since most replays need no other. The columns of the record are null
 * where the request has no key, or one that has not finished.
 */
const AUTHENTICATE_WITH_KEY = statement({
  text: authenticating('access_tokens t', `, ${KEY_FIELDS}`, KEY),
  parameters: { hash: 'bytea', domain: 'text', key: 'text', ttlSeconds: 'float8' },
  row: { ...CALLER, ...OUTER_KEY_COLUMNS },
});

/**
 * The version is empty for an id that the store does not have. The join takes deleted products as
 * well: a condition on them would fit the index of the list, not only the key.
 */
const AUTHENTICATE_WITH_PRODUCT = statement({
  text: authenticating(
    'access_tokens t',
    `, CASE WHEN p.deleted_at IS NULL THEN ${PRODUCT_VERSION} END AS version`,
    `LEFT JOIN products p ON p.store_id = i.store_id AND p.id = $id ${WITH_CATEGORY} ${WITH_TAX_CLASS}`,
  ),
  parameters: { hash: 'bytea', domain: 'text', id: 'uuid' },
  row: { ...CALLER, version: 'text?' },
});

const AUTHENTICATE_WITH_COLLECTION = statement({
  text: authenticating(
    'access_tokens t',
    ', c.revision AS version',
    'LEFT JOIN collections c ON c.store_id = i.store_id AND c.id = $id',
  ),
  parameters: { hash: 'bytea', domain: 'text', id: 'uuid' },
  row: { ...CALLER, version: 'uuid?' },
});

/**
 * A session is used: its end moves, unless it is over. The rest of the statement sees the row as it
 * was before.
 */
const SESSION = `
  WITH touched AS (
    UPDATE app_console_sessions SET expires_at = LEAST(ends_at, clock_timestamp() + make_interval(secs => $idleSeconds))
    WHERE hash = $hash AND kind = 'Session' AND expires_at > clock_timestamp()
      AND LEAST(ends_at, clock_timestamp() + make_interval(secs => $idleSeconds))
        > expires_at + make_interval(secs => $touchSeconds))`;
const SESSIONS = "(SELECT * FROM app_console_sessions WHERE kind = 'Session') t";

const AUTHENTICATE_SESSION = statement({
  text: `${SESSION} ${authenticating(SESSIONS, '', '')}`,
  parameters: { hash: 'bytea', domain: 'text', idleSeconds: 'float8', touchSeconds: 'float8' },
  row: CALLER,
});

const AUTHENTICATE_SESSION_WITH_KEY = statement({
  text: `${SESSION} ${authenticating(SESSIONS, `, ${KEY_FIELDS}`, KEY)}`,
  parameters: {
    hash: 'bytea',
    domain: 'text',
    idleSeconds: 'float8',
    touchSeconds: 'float8',
    key: 'text',
    ttlSeconds: 'float8',
  },
  row: { ...CALLER, ...OUTER_KEY_COLUMNS },
});

const LIFE = { idleSeconds: SESSION_IDLE_SECONDS, touchSeconds: SESSION_TOUCH_SECONDS };

const isRecord = (row: OuterKeyRow): row is KeyRow => row.fingerprint !== null && row.expired === false;

const authenticationOf = (
  caller: RowOf<typeof CALLER> | undefined,
  found: Pick<Extract<Authentication, { ok: true }>, 'known' | 'version'>,
): Authentication => {
  if (!caller) return { ok: false, reason: 'unknown_token' };
  const { reason, storeId, installationId, scopes } = caller;
  return reason === null ? { ok: true, caller: { storeId, installationId, scopes }, ...found } : { ok: false, reason };
};

const NOTHING = { known: null };

const keyedOf = (caller: (RowOf<typeof CALLER> & OuterKeyRow) | undefined): Authentication =>
  authenticationOf(caller, { known: caller && isRecord(caller) ? knownKey(caller) : null });

const versionedOf = (caller: (RowOf<typeof CALLER> & { version: string | null }) | undefined): Authentication =>
  authenticationOf(caller, { known: null, version: caller?.version || null });

export const admission = (database: Database, idempotencyTtlSeconds: number): Admission => ({
  authenticate: async (hash, domain, lookAhead = null) => {
    const token = { hash: bytesOfHex(hash), domain };
    const { pipeline } = database;
    switch (lookAhead?.kind) {
      case 'key': {
        const given = { ...token, key: lookAhead.key, ttlSeconds: idempotencyTtlSeconds };
        return keyedOf((await pipeline.rows(AUTHENTICATE_WITH_KEY, given))[0]);
      }
      case 'product':
        return versionedOf((await pipeline.rows(AUTHENTICATE_WITH_PRODUCT, { ...token, id: lookAhead.id }))[0]);
      case 'collection':
        return versionedOf((await pipeline.rows(AUTHENTICATE_WITH_COLLECTION, { ...token, id: lookAhead.id }))[0]);
      case undefined:
        return authenticationOf((await pipeline.rows(AUTHENTICATE, token))[0], NOTHING);
    }
  },
  // Not on the pipeline: where a revocation has locked the session, others would wait as well.
  authenticateSession: async (hash, domain, key = null) => {
    const session = { hash: bytesOfHex(hash), domain, ...LIFE };
    if (key === null) {
      const [caller] = await database.rows(AUTHENTICATE_SESSION, session);
      return authenticationOf(caller, NOTHING);
    }
    const given = { ...session, key, ttlSeconds: idempotencyTtlSeconds };
    const [caller] = await database.rows(AUTHENTICATE_SESSION_WITH_KEY, given);
    return keyedOf(caller);
  },
});
