import type { InvariantName } from '../../insight/invariants.ts';

export interface Counted {
  /** Rows that were looked at. */
  readonly counted: number;
  readonly violated: number;
  /** True when there may be more rows than were looked at. */
  readonly isSample: boolean;
  /** Ids of the first rows that violate it. */
  readonly examples: readonly string[];
}

export interface Invariants {
  /**
   * Counts the rows that violate the invariant, and names at most five. Looks at no more than
   * `limit` rows, and says whether there may be more. Looks first at the work that is due for the
   * longest time. Has nothing against a delivery that waits for an earlier one of its resource. Returns null when the check does not end within `timeoutMs`.
   */
  check(name: InvariantName, limit: number, timeoutMs: number): Promise<Counted | null>;
}
