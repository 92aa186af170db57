import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { oneOf, type RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { KEY_FIELDS, OUTER_KEY_COLUMNS } from '../idempotency/key-record.ts';
import { PRODUCT_VERSION, WITH_CATEGORY, WITH_TAX_CLASS } from '../reading/revision.ts';

/**
 * `credentials` are what is looked up by a hash: `t`, which has an end and an installation. Nothing is
 * found in a store that has another domain now (StoreDirectory). OFFSET has the installation looked up
 * by its key: a plan without it may read all installations of the store.
 */
const authenticating = (credentials: string, columns: string, join: string): string => `
  SELECT i.id AS "installationId", s.id AS "storeId", i.scopes,
    CASE WHEN s.status <> 'Active' THEN 'store_inactive'
         WHEN i.status = 'Uninstalled' THEN 'uninstalled'
         WHEN i.status <> 'Installed' OR i.app_id IS NOT NULL AND coalesce(a.status <> 'Active', true) THEN 'suspended'
         WHEN t.expires_at = '-infinity' OR t.created_at < a.active_since THEN 'revoked'
         WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS reason${columns}
  FROM stores s
  JOIN ${credentials} ON t.store_id = s.id AND t.hash = $hash
  CROSS JOIN LATERAL (SELECT * FROM installations WHERE store_id = $storeId AND id = t.installation_id OFFSET 0) i
  LEFT JOIN platform_apps a ON a.id = i.app_id ${join}
  WHERE s.id = $storeId AND s.domain = $domain`;

const CALLER = {
  installationId: 'uuid',
  storeId: 'uuid',
  scopes: oneOf('text[]!', ALL_SCOPES),
  reason: oneOf('text?', ['store_inactive', 'uninstalled', 'suspended', 'revoked', 'expired']),
} as const;

export type CallerRow = RowOf<typeof CALLER>;

const CREDENTIAL = { storeId: 'uuid', domain: 'text', hash: 'bytea' } as const;

export interface Credential {
  readonly storeId: string;
  readonly domain: string;
  readonly hash: Buffer;
}

export const AUTHENTICATE = statement({
  text: authenticating('access_tokens t', '', ''),
  parameters: CREDENTIAL,
  row: CALLER,
});

const KEY =
  'LEFT JOIN idempotency_records r ON r.store_id = s.id AND r.installation_id = i.id AND r.key = $key AND r.finished_at IS NOT NULL';

/**
 * One statement for both, since most replays need no other. The columns of the record are null
 * where the request has no key, or one that has not finished.
 */
export const AUTHENTICATE_WITH_KEY = statement({
  text: authenticating('access_tokens t', `, ${KEY_FIELDS}`, KEY),
  parameters: { ...CREDENTIAL, key: 'text', ttlSeconds: 'float8' },
  row: { ...CALLER, ...OUTER_KEY_COLUMNS },
});

/**
 * The version is empty for an id that the store does not have. The join takes deleted products as
 * well: a condition on them would fit the index of the list, not only the key.
 */
export const AUTHENTICATE_WITH_PRODUCT = statement({
  text: authenticating(
    'access_tokens t',
    `, CASE WHEN p.deleted_at IS NULL THEN ${PRODUCT_VERSION} END AS version`,
    `LEFT JOIN products p ON p.store_id = s.id AND p.id = $id ${WITH_CATEGORY} ${WITH_TAX_CLASS}`,
  ),
  parameters: { ...CREDENTIAL, id: 'uuid' },
  row: { ...CALLER, version: 'text?' },
});

export const AUTHENTICATE_WITH_COLLECTION = statement({
  text: authenticating(
    'access_tokens t',
    ', c.revision AS version',
    'LEFT JOIN collections c ON c.store_id = s.id AND c.id = $id',
  ),
  parameters: { ...CREDENTIAL, id: 'uuid' },
  row: { ...CALLER, version: 'uuid?' },
});

/**
 * A session is used: its end moves, unless it is over. The rest of the statement sees the row as it
 * was before.
 */
const SESSION = `
  WITH touched AS (
    UPDATE app_console_sessions SET expires_at = LEAST(ends_at, clock_timestamp() + make_interval(secs => $idleSeconds))
    WHERE store_id = $storeId AND hash = $hash AND kind = 'Session' AND expires_at > clock_timestamp()
      AND LEAST(ends_at, clock_timestamp() + make_interval(secs => $idleSeconds))
        > expires_at + make_interval(secs => $touchSeconds))`;
const SESSIONS = "(SELECT * FROM app_console_sessions WHERE store_id = $storeId AND kind = 'Session') t";

export const AUTHENTICATE_SESSION = statement({
  text: `${SESSION} ${authenticating(SESSIONS, '', '')}`,
  parameters: { ...CREDENTIAL, idleSeconds: 'float8', touchSeconds: 'float8' },
  row: CALLER,
});

export const AUTHENTICATE_SESSION_WITH_KEY = statement({
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
