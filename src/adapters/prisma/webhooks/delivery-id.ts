/**
 * `n.at` is now, and `n.digits` are the first digits of the ids of that time: computed once, and not for each delivery. A join keeps them
 * so by OFFSET 0.
 */
export const NOW = `(SELECT now_ms() AS at, left(replace(uuid7_floor(now_ms())::text, '-', ''), 17) AS digits OFFSET 0) n`;

/**
 * SQL for the id of a new delivery, beside NOW: a UUID of version 7, whose last digits follow from what it is of. No chance is in it,
 * so that a statement with it is carried out where the rows of its store are.
 */
export const deliveryId = (event: string, subscription: string): string =>
  `(n.digits || lpad(to_hex((uuid_hash_extended(${event}, 0) # uuid_hash_extended(${subscription}, 1)) & 1152921504606846975), 15, '0'))::uuid`;
