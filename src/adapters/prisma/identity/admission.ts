import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import type { Admission, Authentication } from '../../../domain/ports/admission.ts';
import type { KnownKey } from '../../../domain/ports/idempotency-repository.ts';
import type { Database } from '../connection/database.ts';
import { oneOf } from '../connection/sql-types.ts';
import type { RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { KEY_FIELDS, knownKey, OUTER_KEY_COLUMNS } from '../idempotency/key-record.ts';
import type { KeyRow, OuterKeyRow } from '../idempotency/key-record.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const authenticating = (columns: string, join: string): string => `
  SELECT i.id AS "installationId", i.store_id AS "storeId", i.scopes,
    CASE WHEN s.domain <> $domain THEN 'wrong_store'
         WHEN s.status <> 'Active' THEN 'store_inactive'
         WHEN i.status = 'Uninstalled' THEN 'uninstalled'
         WHEN i.status <> 'Installed' THEN 'suspended'
         WHEN t.expires_at = '-infinity' THEN 'revoked'
         WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS reason${columns}
  FROM access_tokens t
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
  text: authenticating('', ''),
  parameters: { hash: 'bytea', domain: 'text' },
  row: CALLER,
});

/**
 * One statement for both, since most replays need no other. The columns of the record are null
 * where the request has no key, or one that has not finished.
 */
const AUTHENTICATE_WITH_KEY = statement({
  text: authenticating(
    `, ${KEY_FIELDS}`,
    'LEFT JOIN idempotency_records r ON r.installation_id = i.id AND r.key = $key AND r.finished_at IS NOT NULL',
  ),
  parameters: { hash: 'bytea', domain: 'text', key: 'text', ttlSeconds: 'float8' },
  row: { ...CALLER, ...OUTER_KEY_COLUMNS },
});

const isRecord = (row: OuterKeyRow): row is KeyRow => row.fingerprint !== null && row.expired === false;

const authenticationOf = (caller: RowOf<typeof CALLER> | undefined, known: KnownKey | null): Authentication => {
  if (!caller) return { ok: false, reason: 'unknown_token' };
  const { reason, storeId, installationId, scopes } = caller;
  return reason === null ? { ok: true, caller: { storeId, installationId, scopes }, known } : { ok: false, reason };
};

export const admission = (database: Database, idempotencyTtlSeconds: number): Admission => ({
  authenticate: async (hash, domain, key = null) => {
    const token = { hash: bytes(hash), domain };
    if (key === null) {
      const [caller] = await database.pipeline.rows(AUTHENTICATE, token);
      return authenticationOf(caller, null);
    }
    const [caller] = await database.pipeline.rows(AUTHENTICATE_WITH_KEY, { ...token, key, ttlSeconds: idempotencyTtlSeconds });
    return authenticationOf(caller, caller && isRecord(caller) ? knownKey(caller) : null);
  },
});
