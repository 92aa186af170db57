import type { KeyRecord } from '../../../domain/idempotency/idempotency.ts';
import type { KnownKey } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import { json, type RowOf } from '../connection/sql-types.ts';

/** The parameters that name a key. A merchant's has no installation. */
export const KEY = { storeId: 'uuid', installationId: 'uuid?', key: 'text' } as const;

export interface KeyTable {
  readonly table: string;
  readonly columns: string;
  readonly values: string;
  /** A condition on a claim, before its others. */
  readonly claimedIf: string;
  /** The rows of the keys that are known: `r`. */
  readonly known: string;
  readonly isKey: string;
}

/** An uninstall leaves the keys to the purge, and from then on they are not known. */
export const APP_KEYS: KeyTable = {
  table: 'idempotency_records',
  columns: 'store_id, installation_id, key',
  values: '$storeId, $installationId, $key',
  claimedIf: '',
  known:
    "idempotency_records r JOIN installations i ON i.store_id = r.store_id AND i.id = r.installation_id AND i.status <> 'Uninstalled'",
  isKey: 'r.store_id = $storeId AND r.installation_id = $installationId AND r.key = $key',
};

const HAS_NO_INSTALLATION = '$installationId::uuid IS NULL';

export const MERCHANT_KEYS: KeyTable = {
  table: 'merchant_keys',
  columns: 'store_id, key',
  values: '$storeId, $key',
  claimedIf: `${HAS_NO_INSTALLATION} AND `,
  known: 'merchant_keys r',
  isKey: `r.store_id = $storeId AND r.key = $key AND ${HAS_NO_INSTALLATION}`,
};

export const KEY_FIELDS = `r.fingerprint, r.status, r.headers, r.body,
    coalesce(r.finished_at < clock_timestamp() - make_interval(secs => $ttlSeconds), false) AS expired`;

export const KEY_COLUMNS = {
  fingerprint: 'bytea',
  status: 'int2?',
  headers: json<Record<string, string> | null>('jsonb?'),
  body: 'bytea?',
  expired: 'bool',
} as const;

/** The columns of KEY_FIELDS where a key may have no record. */
export const OUTER_KEY_COLUMNS = { ...KEY_COLUMNS, fingerprint: 'bytea?', expired: 'bool?' } as const;

export type KeyRow = RowOf<typeof KEY_COLUMNS>;
export type OuterKeyRow = RowOf<typeof OUTER_KEY_COLUMNS>;

const stateOf = (row: KeyRow): KeyRecord['state'] => {
  if (row.status === null) return 'abandoned';
  return row.expired ? 'expired' : 'finished';
};

export const knownKey = (row: KeyRow): KnownKey => ({
  record: { state: stateOf(row), fingerprint: row.fingerprint.toString('hex'), replayable: row.body !== null },
  response: row.status === null ? null : { status: row.status, headers: row.headers ?? {}, body: row.body },
});
