/** The largest integer of 32 bits, which a column of PostgreSQL keeps. */
export const MAX_INT32 = 2_147_483_647;
