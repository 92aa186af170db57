import type { Database } from './database.ts';
import { NODE_NAME } from './generation.ts';
import { migrateRest } from './migrate.ts';
import { statement } from './statement.ts';

export const SECONDS_BETWEEN_LOOKS = 5;
/** 90 seconds. The pool of an older process closes an idle connection after a minute, and a restart of one takes less. */
const QUIET_LOOKS = 18;

/** `tenon requests` is the name in 0.1.0, which has no generation. */
const ARE_CONNECTED = statement({
  text: `
    SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name <> $own
        AND (application_name = 'tenon requests' OR application_name LIKE 'tenon node%')) AS connected`,
  parameters: { own: 'text' },
  row: { connected: 'bool' },
});

export const olderAreConnected = async (database: Pick<Database, 'rows'>): Promise<boolean> =>
  (await database.rows(ARE_CONNECTED, { own: NODE_NAME }))[0]?.connected ?? false;

/**
 * Seals the cursors: from then on feeds give out none of the first version. The heads do not move between the lock of
 * their rows and the commit, so no cursor of the first version that was given out is behind its bound.
 */
const SEAL = statement({
  text: `
    WITH sealed AS (UPDATE schema_generation SET sealed_cursors = true WHERE id = 1 AND NOT sealed_cursors RETURNING id)
    UPDATE feed_heads SET first_cursors = head WHERE EXISTS (SELECT FROM sealed)`,
});

export interface EndOptions {
  readonly quietLooks?: number;
  /** The folder of the migrations; that of this package by default. */
  readonly folder?: string;
}

/**
 * Ends an upgrade: what processes of older versions still need is changed for good when none was
 * connected at this many looks, one after the other.
 */
export const endOfUpgrade = (
  database: Database,
  { quietLooks = QUIET_LOOKS, folder }: EndOptions = {},
): (() => Promise<void>) => {
  let hasEnded = false;
  let quiet = 0;
  return async () => {
    if (hasEnded) return;
    quiet = (await olderAreConnected(database)) ? 0 : quiet + 1;
    if (quiet < quietLooks) return;
    await database.execute(SEAL);
    await migrateRest(database, folder);
    hasEnded = true;
  };
};
