import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';

/** No process of a version that reads sealed cursors has connections of this name (ports/container.ts). */
const NAME_OF_OLDER = 'tenon requests';

export const SECONDS_BETWEEN_LOOKS = 5;
/** 90 seconds. The pool of an older process closes an idle connection after a minute, and a restart of one takes less. */
const QUIET_LOOKS = 18;

const LOOK = statement({
  text: `
    SELECT g.sealed_cursors AS sealed,
      EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $name) AS older
    FROM schema_generation g WHERE g.id = 1`,
  parameters: { name: 'text' },
  row: { sealed: 'bool', older: 'bool' },
});

/** The heads do not move between the lock of their rows and the commit, so no cursor of the first version that was given out is behind its bound. */
const SEAL = statement({
  text: `
    WITH sealed AS (UPDATE schema_generation SET sealed_cursors = true WHERE id = 1 AND NOT sealed_cursors RETURNING id)
    UPDATE feed_heads SET first_cursors = head WHERE EXISTS (SELECT FROM sealed)`,
});

/**
 * Beside processes that read only cursors of the first version, nodes give that one out. A look seals the
 * cursors for good when no such process was connected at this many looks, one after the other.
 */
export const sealingOfCursors = (
  database: Pick<Database, 'rows' | 'execute'>,
  quietLooks: number = QUIET_LOOKS,
): (() => Promise<void>) => {
  let isSealed = false;
  let quiet = 0;
  return async () => {
    if (isSealed) return;
    const [state] = await database.rows(LOOK, { name: NAME_OF_OLDER });
    isSealed = state?.sealed ?? false;
    quiet = state?.older === false ? quiet + 1 : 0;
    if (isSealed || quiet < quietLooks) return;
    await database.execute(SEAL);
    isSealed = true;
  };
};
