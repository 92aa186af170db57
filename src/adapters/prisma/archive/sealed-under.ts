import type { KeyCounts } from '../../storage/sealed-secrets.ts';
import type { Sql } from '../connection/sql.ts';
import { PEPPERS, PLATFORM_SEALED_UNDER, SEALED_UNDER, STORE_SEALED_UNDER } from './catalogue-statements.ts';

interface Sealed {
  readonly counts: KeyCounts;
  readonly peppers: readonly string[];
}

interface Scope {
  /** The only store whose secrets count; null for all. */
  readonly only: string | null;
  /** A database of an older version does not have each table. */
  readonly has: (table: string) => boolean;
}

/** Reads the secrets under each key: of all stores, or of one, and the peppers. */
export const sealedUnder = async (sql: Sql, { only, has }: Scope): Promise<Sealed> => {
  const peppers = has('retired_peppers') ? await sql.rows(PEPPERS) : [];
  const ofApps = only === null && has('platform_signing_secrets') ? await sql.rows(PLATFORM_SEALED_UNDER) : [];
  const ofStores = only === null ? await sql.rows(SEALED_UNDER) : await sql.rows(STORE_SEALED_UNDER, { storeId: only });
  const counts = new Map<string, number>();
  for (const { kid, count } of [...ofStores, ...ofApps, ...peppers.map((pepper) => ({ ...pepper, count: 1 }))])
    counts.set(kid, (counts.get(kid) ?? 0) + count);
  return { counts, peppers: peppers.map(({ id }) => id) };
};
