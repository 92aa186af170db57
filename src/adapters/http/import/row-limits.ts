export interface RowLimits {
  readonly bytes: number;
  readonly cells: number;
}

/**
 * A longer row is skipped as it arrives and never held. The cells bound what a row of separators
 * makes.
 */
export const ROW_LIMITS: RowLimits = { bytes: 4 * 1024 * 1024, cells: 1_000 };
