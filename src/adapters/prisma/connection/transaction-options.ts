import type { BoundStatement } from './prepared-query.ts';

export interface TransactionOptions {
  /**
   * Milliseconds for each statement of this transaction, in place of its connection's setting; 0
   * for no limit.
   */
  readonly statementTimeoutMs?: number;
  /**
   * Plans each statement for its parameters. By default PostgreSQL may reuse a plan that it made
   * for any.
   */
  readonly planEachTime?: boolean;
  /** All of its statements see the database as it was at the first of them. */
  readonly snapshot?: boolean;
  /**
   * Keeps the transaction while its process does other work between two statements, or is paused.
   * The keepalives find a machine that is gone in half a minute.
   */
  readonly mayIdle?: boolean;
  /**
   * The work has effects outside of the database. It does not run again after a conflict with
   * another transaction.
   */
  readonly isUnrepeatable?: boolean;
  /**
   * Sent before BEGIN, in the same write. PostgreSQL commits it by itself, and a failure of the
   * transaction does not undo it. Where it fails, the transaction does.
   */
  readonly beforehand?: BoundStatement;
  /**
   * All statements of the transaction look their rows up by keys: each is planned once, for any
   * parameters and any number of them, and never as the scan of a whole table. To plan the bulk
   * update of one product for its parameters takes longer than to carry it out.
   */
  readonly looksUpByKeys?: boolean;
}

const MAY_IDLE =
  '; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL tcp_keepalives_idle = 15' +
  '; SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3';

const NO_SCANS = '; SET LOCAL enable_seqscan = off';
const BY_KEYS = `; SET LOCAL plan_cache_mode = force_generic_plan${NO_SCANS}`;

/** The settings leave in one message, so that they cost no round trip. */
export const beginning = (options: TransactionOptions, hasCitus: boolean): string => {
  const { statementTimeoutMs, planEachTime = false, looksUpByKeys = false, snapshot = false, mayIdle = false } = options;
  const timeout = statementTimeoutMs === undefined ? '' : `; SET LOCAL statement_timeout = ${String(statementTimeoutMs)}`;
  const plans = planEachTime ? '; SET LOCAL plan_cache_mode = force_custom_plan' : '';
  const idle = mayIdle ? MAY_IDLE : '';
  // A plan of Citus is for the node of one store.
  const byKeys = hasCitus ? NO_SCANS : BY_KEYS;
  return `BEGIN${snapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''}${timeout}${plans}${idle}${looksUpByKeys ? byKeys : ''}`;
};
