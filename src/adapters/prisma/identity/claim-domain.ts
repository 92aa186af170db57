import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

/** Waits for a transaction that gives the domain away, or that takes it. */
const CLAIM = statement({
  text: `
    INSERT INTO store_domains (domain, store) VALUES ($domain, $storeId)
    ON CONFLICT (domain) DO UPDATE SET domain = excluded.domain RETURNING store`,
  parameters: { domain: 'text', storeId: 'uuid' },
  row: { store: 'uuid' },
});

const RELEASE = statement({
  text: 'DELETE FROM store_domains WHERE store = $storeId AND domain IS DISTINCT FROM $domain',
  parameters: { storeId: 'uuid', domain: 'text?' },
});

/** Claims the domains after a restore, whose stores come from a backup: it has no such table. */
export const CLAIM_ALL = statement({
  text: `
    INSERT INTO store_domains (domain, store)
    SELECT domain, id FROM stores s WHERE NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = s.id)
    ON CONFLICT (domain) DO NOTHING`,
});

/**
 * Returns whether the store has the domain from now on, in place of the one that it had; false where another store has it. Everything that gives
 * a store a domain asks this in the same transaction. It comes behind the lock of the store's catalogue (catalogue-lock.ts).
 */
export const claimDomain = async (sql: Sql, domain: string, storeId: string): Promise<boolean> => {
  const [holder] = await sql.rows(CLAIM, { domain, storeId });
  if (holder?.store !== storeId) return false;
  await sql.execute(RELEASE, { storeId, domain });
  return true;
};

/** Another store may have the domain of this one. */
export const releaseDomain = (sql: Sql, storeId: string): Promise<number> => sql.execute(RELEASE, { storeId, domain: null });
