import type { Scope } from '../../../domain/identity/scope.ts';
import type { Admission, Authentication } from '../../../domain/ports/admission.ts';
import type { Database } from '../connection/database.ts';
import { keyColumns, known } from '../idempotency/idempotency-repository.ts';
import type { KeyRow } from '../idempotency/idempotency-repository.ts';

/** The columns of KeyRow are null where the request has no key, or one that has not finished. */
interface AuthenticationRow extends Partial<KeyRow> {
  installation_id: string;
  store_id: string;
  scopes: Scope[];
  reason: Extract<Authentication, { ok: false }>['reason'] | null;
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const authenticating = (columns: string, join: string): string =>
  `SELECT i.id AS installation_id, i.store_id, i.scopes,
     CASE WHEN s.domain <> $2 THEN 'wrong_store'
          WHEN s.status <> 'Active' THEN 'store_inactive'
          WHEN i.status = 'Uninstalled' THEN 'uninstalled'
          WHEN i.status <> 'Installed' THEN 'suspended'
          WHEN t.expires_at = '-infinity' THEN 'revoked'
          WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS reason${columns}
   FROM access_tokens t
   JOIN installations i ON i.id = t.installation_id
   JOIN stores s ON s.id = i.store_id ${join}
   WHERE t.hash = $1`;

const hasFinished = (row: Partial<KeyRow>): row is KeyRow => row.fingerprint != null && row.expired === false;

const AUTHENTICATE = authenticating('', '');
const AUTHENTICATE_WITH_KEY = authenticating(
  `, ${keyColumns('$4')}`,
  'LEFT JOIN idempotency_records r ON r.installation_id = i.id AND r.key = $3 AND r.finished_at IS NOT NULL',
);

/** One statement for both: most replays need no other. */
export const admission = (database: Database, idempotencyTtlSeconds: number): Admission => ({
  authenticate: async (hash, domain, key = null) => {
    const [row] = await database.pipeline.query<AuthenticationRow>(
      key === null ? AUTHENTICATE : AUTHENTICATE_WITH_KEY,
      key === null ? [bytes(hash), domain] : [bytes(hash), domain, key, idempotencyTtlSeconds],
    );
    if (!row) return { ok: false, reason: 'unknown_token' };
    if (row.reason !== null) return { ok: false, reason: row.reason };
    return {
      ok: true,
      caller: { storeId: row.store_id, installationId: row.installation_id, scopes: row.scopes },
      known: hasFinished(row) ? known(row) : null,
    };
  },
});
