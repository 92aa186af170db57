/** Exports of an installation at once, on each node. Each lives for as long as its reader reads. */
export const MAX_EXPORTS = 4;
/** Dry runs of an installation, or of the merchant for a store, at once on each node. */
export const MAX_DRY_RUNS = 1;
/** Dry runs of all of them at once, in each process. */
export const MAX_ALL_DRY_RUNS = 4;

/** Limits of the work that an installation or a store may do at once. */
export const MOST_AT_ONCE = { export: MAX_EXPORTS, dryRun: MAX_DRY_RUNS } as const;
export type SharedWork = keyof typeof MOST_AT_ONCE;

export interface WorkShare {
  /**
   * Takes a place of the installation or store until the signal is aborted. Gives false where it holds all
   * of its places, or others hold all of the process.
   */
  take(work: SharedWork, of: string, until: AbortSignal): Promise<boolean>;
}
