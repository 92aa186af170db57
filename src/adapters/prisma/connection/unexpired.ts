/**
 * True for a row, found by its key, that has not expired, for a statement that changes it: Citus
 * refuses clock_timestamp() there. As a plain comparison it could be looked up in the index of
 * expires_at, which has all that are open.
 */
export const isUnexpired = (expiresAt: string, now = 'statement_timestamp()'): string => `(${expiresAt} > ${now}) IS TRUE`;
