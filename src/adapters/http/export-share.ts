/** Exports of an installation at once, on each node. Each lives for as long as its reader reads. */
export const MAX_EXPORTS = 4;

export interface ExportShare {
  /** Takes a place until the signal is aborted. Gives false where the installation holds all of its places. */
  take(installationId: string, until: AbortSignal): Promise<boolean>;
}
