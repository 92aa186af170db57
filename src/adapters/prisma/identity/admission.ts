import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from '../../../domain/identity/console-session.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import type { Admission, Authentication, LookAhead } from '../../../domain/ports/identity/admission.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { oneOf, type RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { KEY_FIELDS, OUTER_KEY_COLUMNS, knownKey, type KeyRow, type OuterKeyRow } from '../idempotency/key-record.ts';
import { PRODUCT_VERSION, WITH_CATEGORY, WITH_TAX_CLASS } from '../reading/revision.ts';
import { lookElsewhere, SESSION_ELSEWHERE, TOKEN_ELSEWHERE } from './admission-elsewhere.ts';
import type { StoreDirectory } from './store-directory.ts';
import { touching } from './session-rows.ts';

/**
 * `credentials` are what is looked up by a hash: `t`, which has an end and an installation. Nothing is
 * found in a store that has another domain now (StoreDirectory). OFFSET has the installation looked up
 * by its key: a plan without it may read all installations of the store. Columns are named: of *, PostgreSQL
 * writes each that nobody reads as NULL.
 */
const authenticating = (credentials: string, columns: string, join: string): string => `
  SELECT i.id AS "installationId", s.id AS "storeId", i.scopes, s.sandbox_app_id AS "sandboxAppId",
    CASE WHEN s.status <> 'Active' THEN 'store_inactive'
         WHEN i.status = 'Uninstalled' THEN 'uninstalled'
         WHEN i.status <> 'Installed' THEN 'suspended'
         ELSE coalesce(platform_app_refusal(i.app_id, t.created_at),
           CASE WHEN t.expires_at = '-infinity' THEN 'revoked' WHEN t.expires_at <= clock_timestamp() THEN 'expired' END)
         END AS reason${columns}
  FROM stores s
  JOIN ${credentials} ON t.store_id = s.id AND t.hash = $hash
  CROSS JOIN LATERAL (
    SELECT id, scopes, status, app_id FROM installations WHERE store_id = $storeId AND id = t.installation_id OFFSET 0) i ${join}
  WHERE s.id = $storeId AND s.domain = $domain`;

const CALLER = {
  installationId: 'uuid',
  storeId: 'uuid',
  scopes: oneOf('text[]!', ALL_SCOPES),
  sandboxAppId: 'uuid?',
  reason: oneOf('text?', ['store_inactive', 'uninstalled', 'suspended', 'revoked', 'expired']),
} as const;

type CallerRow = RowOf<typeof CALLER>;

const CREDENTIAL = { storeId: 'uuid', domain: 'text', hash: 'bytea' } as const;

interface Credential {
  readonly storeId: string;
  readonly domain: string;
  readonly hash: Buffer;
}

const AUTHENTICATE = statement({
  text: authenticating('access_tokens t', '', ''),
  parameters: CREDENTIAL,
  row: CALLER,
});

const KEY =
  'LEFT JOIN idempotency_records r ON r.store_id = s.id AND r.installation_id = i.id AND r.key = $key AND r.finished_at IS NOT NULL';

/**
 * A single statement looks up both, since most replays need no other. The columns of the record are
 * null where the request has no key, or one that has not finished.
 */
const AUTHENTICATE_WITH_KEY = statement({
  text: authenticating('access_tokens t', `, ${KEY_FIELDS}`, KEY),
  parameters: { ...CREDENTIAL, key: 'text', ttlSeconds: 'float8' },
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
    `LEFT JOIN products p ON p.store_id = s.id AND p.id = $id ${WITH_CATEGORY} ${WITH_TAX_CLASS}`,
  ),
  parameters: { ...CREDENTIAL, id: 'uuid' },
  row: { ...CALLER, version: 'text?' },
});

const AUTHENTICATE_WITH_COLLECTION = statement({
  text: authenticating(
    'access_tokens t',
    ', c.revision AS version',
    'LEFT JOIN collections c ON c.store_id = s.id AND c.id = $id',
  ),
  parameters: { ...CREDENTIAL, id: 'uuid' },
  row: { ...CALLER, version: 'uuid?' },
});

/** Later parts of the statement see the rows as they were before. */
const SESSION = `
  WITH touched AS (${touching('app_console_sessions', 'statement_timestamp()', 'AND store_id = $storeId')}),
  touched_too AS (${touching('developer_sessions', 'statement_timestamp()')})`;
/**
 * A developer's session is of the installation of its app on this store, and ends with its client
 * secret at the latest. OFFSET is there as above: a plan without it may read the installations of
 * the app on all stores.
 */
const SESSIONS = `(
    SELECT store_id, installation_id, hash, created_at, expires_at FROM app_console_sessions WHERE store_id = $storeId AND kind = 'Session'
    UNION ALL
    SELECT o.store_id, o.id, d.hash, d.created_at, LEAST(d.expires_at, c.expires_at)
    FROM developer_sessions d JOIN platform_client_secrets c ON c.id = d.secret_id
      CROSS JOIN LATERAL (
        SELECT store_id, id FROM installations WHERE store_id = $storeId AND app_id = c.app_id AND status <> 'Uninstalled' OFFSET 0) o
    WHERE d.kind = 'Session') t`;

const AUTHENTICATE_SESSION = statement({
  text: `${SESSION} ${authenticating(SESSIONS, '', '')}`,
  parameters: { ...CREDENTIAL, idleSeconds: 'float8', touchSeconds: 'float8' },
  row: CALLER,
});

const AUTHENTICATE_SESSION_WITH_KEY = statement({
  text: `${SESSION} ${authenticating(SESSIONS, `, ${KEY_FIELDS}`, KEY)}`,
  parameters: {
    ...CREDENTIAL,
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
  { reason, storeId, installationId, scopes, sandboxAppId }: CallerRow,
  found: Pick<Extract<Authentication, { ok: true }>, 'known' | 'version'>,
): Authentication =>
  reason === null ? { ok: true, caller: { storeId, installationId, scopes, sandboxAppId }, ...found } : { ok: false, reason };

const plain = (caller: CallerRow): Authentication => authenticationOf(caller, { known: null });

const keyed = (caller: CallerRow & OuterKeyRow): Authentication =>
  authenticationOf(caller, { known: isRecord(caller) ? knownKey(caller) : null });

const versioned = (caller: CallerRow & { version: string | null }): Authentication =>
  authenticationOf(caller, { known: null, version: caller.version || null });

/** Refuses a credential that the store of the domain does not have. */
const refusal = (isElsewhere: boolean): Authentication => ({ ok: false, reason: isElsewhere ? 'wrong_store' : 'unknown_token' });

const first = <Row>(make: (row: Row) => Authentication, [row]: Row[]): Authentication | null => (row ? make(row) : null);

export const admission = (database: Database, directory: StoreDirectory, idempotencyTtlSeconds: number): Admission => {
  const isElsewhere = lookElsewhere(database);
  const ofToken = async (given: Credential, lookAhead: LookAhead | null): Promise<Authentication | null> => {
    const { pipeline } = database;
    switch (lookAhead?.kind) {
      case 'key': {
        const withKey = { ...given, key: lookAhead.key, ttlSeconds: idempotencyTtlSeconds };
        return first(keyed, await pipeline.rows(AUTHENTICATE_WITH_KEY, withKey));
      }
      case 'product':
        return first(versioned, await pipeline.rows(AUTHENTICATE_WITH_PRODUCT, { ...given, id: lookAhead.id }));
      case 'collection':
        return first(versioned, await pipeline.rows(AUTHENTICATE_WITH_COLLECTION, { ...given, id: lookAhead.id }));
      case undefined:
        return first(plain, await pipeline.rows(AUTHENTICATE, given));
    }
  };
  // Not on the pipeline: where a revocation has locked the session, others would wait as well.
  const ofSession = async (given: Credential, key: string | null): Promise<Authentication | null> => {
    const session = { ...given, ...LIFE };
    if (key === null) return first(plain, await database.rows(AUTHENTICATE_SESSION, session));
    const withKey = { ...session, key, ttlSeconds: idempotencyTtlSeconds };
    return first(keyed, await database.rows(AUTHENTICATE_SESSION_WITH_KEY, withKey));
  };
  return {
    authenticate: async (text, domain, lookAhead = null) => {
      const hash = bytesOfHex(text);
      return (
        (await directory.find(domain, (storeId) => ofToken({ storeId, domain, hash }, lookAhead))) ??
        refusal(await isElsewhere(TOKEN_ELSEWHERE, hash))
      );
    },
    authenticateSession: async (text, domain, key = null) => {
      const hash = bytesOfHex(text);
      return (
        (await directory.find(domain, (storeId) => ofSession({ storeId, domain, hash }, key))) ??
        refusal(await isElsewhere(SESSION_ELSEWHERE, hash))
      );
    },
  };
};
