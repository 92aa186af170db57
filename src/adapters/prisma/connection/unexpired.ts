/**
 * Whether a row that is found by its key has not expired, for a statement that changes it: Citus refuses clock_timestamp()
 * there. As a plain comparison it could be looked up in the index of expires_at, which has all that are open.
 */
export const isUnexpired = (expiresAt: string, now = 'statement_timestamp()'): string => `(${expiresAt} > ${now}) IS TRUE`;
