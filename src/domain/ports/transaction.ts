import type { TransactionPorts } from './index.ts';

export interface Transaction {
  /**
   * Runs the work with ports bound to one transaction. Everything written commits together when the work resolves; nothing of it
   * stays when the work throws, and the throw goes on to the caller. A port that only writes may resolve before its write is carried out:
   * if that fails, this throws, and nothing stays either. Throws OutcomeUnknown when the answer to COMMIT was lost.
   */
  run<T>(work: (ports: TransactionPorts) => Promise<T>): Promise<T>;
}

/**
 * The database cannot answer now: it is unreachable, it stops, or a statement ran into its timeout. Nothing was
 * committed. Every port that PostgreSQL implements may throw it, and a later attempt may succeed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** COMMIT was sent and its answer never came: the work may or may not be done. A retry with the same key finds out. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
