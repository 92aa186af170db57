import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { FIND } from './store-directory.ts';

const LOCK = statement({
  text: `SELECT pg_advisory_xact_lock(hashtextextended('domain/' || $domain, 0))`,
  parameters: { domain: 'text' },
});

/**
 * Whether no other store has the domain, or gets it before the transaction ends. Everything that gives a store a domain asks
 * this before it writes: no index is unique over the stores of several servers, but they all have this lock in one place. It
 * comes behind the lock of the store's catalogue (catalogue-lock.ts). The look sees what others committed while the lock was
 * waited for.
 */
export const claimDomain = async (sql: Sql, domain: string, storeId: string): Promise<boolean> => {
  const [, [holder]] = await Promise.all([sql.execute(LOCK, { domain }), sql.rows(FIND, { domain })]);
  return holder === undefined || holder.id === storeId;
};
