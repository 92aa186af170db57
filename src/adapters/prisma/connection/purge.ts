/** Deletes the oldest rows that match, and leaves those that another purge has locked. The parameter is `$limit`. */
const oldestOf = (table: string, condition: string, at: string): string => `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${condition}
      ORDER BY ${at} LIMIT $limit FOR UPDATE SKIP LOCKED))`;

/** The declaration of a statement that deletes the expired rows. */
export const purgeOfExpired = (table: string) =>
  ({ text: oldestOf(table, 'expires_at <= clock_timestamp()', 'expires_at'), parameters: { limit: 'int8' } }) as const;

/** The same for what is kept for `$days` after the time in column `at`. */
export const purgeOfOld = (table: string, at: string) =>
  ({
    text: oldestOf(table, `${at} < statement_timestamp() - make_interval(days => $days)`, at),
    parameters: { days: 'int4', limit: 'int8' },
  }) as const;
