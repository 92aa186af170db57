import type { TransactionPorts } from './index.ts';

export interface Transaction {
  /**
   * Runs the work with ports that are bound to one transaction, and returns its result. Commits
   * everything written when the work resolves. Writes nothing when the work throws, and rejects
   * with the same error. Writes nothing and rejects when a write fails that a port did not wait
   * for.
   */
  run<T>(work: (ports: TransactionPorts) => Promise<T>): Promise<T>;
}

/**
 * The database cannot answer now: it is unreachable, it stops, or a statement ran into its timeout.
 * Nothing was committed. Every port that PostgreSQL implements may throw it, and a later attempt
 * may succeed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/**
 * COMMIT was sent and its answer was lost, so the work may or may not be done. A retry with the
 * same key finds out.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
