import { HAS_CITUS } from '../../postgres/backends.ts';
import type { TransactionSql } from './sql.ts';
import { statement } from './statement.ts';

const FORCE_CUSTOM_PLAN = statement({ text: 'SET LOCAL plan_cache_mode = force_custom_plan' });
/** A plan of Citus is for the node of one store. */
const FORCE_GENERIC_PLAN = statement({
  text: `SELECT set_config('plan_cache_mode', CASE WHEN ${HAS_CITUS} THEN 'auto' ELSE 'force_generic_plan' END, true)`,
  row: { set_config: 'text' },
});
const DISCARD_PLANS = statement({ text: 'DISCARD PLANS' });

/**
 * Until the transaction ends, PostgreSQL plans each statement for its parameters, those of foreign
 * keys included.
 */
export const planEachTime = (sql: TransactionSql): void => {
  sql.enqueue(FORCE_CUSTOM_PLAN);
};

/**
 * Until the transaction ends, PostgreSQL plans each statement once for all parameters. Plans that
 * the connection has are discarded: they may be of the time when the tables were empty.
 */
export const planOnce = (sql: TransactionSql): void => {
  sql.enqueue(DISCARD_PLANS);
  sql.enqueue(FORCE_GENERIC_PLAN);
};
