import { compileStatement } from '../statement.ts';

/**
 * Keeps the shards of a store on their worker until the transaction ends. Citus moves a shard while transactions use it, and waits for those
 * that have written: a row that one has only locked would be free on the other worker, and two would change it from the same state.
 * With this lock (5 is SHARE, what Citus takes for a write), the move waits for all.
 */
export const HOLD_SHARD = compileStatement({
  text: `SELECT lock_shard_metadata(5, ARRAY[get_shard_id_for_distribution_column('stores', $storeId::uuid)])`,
  parameters: { storeId: 'uuid' },
});
