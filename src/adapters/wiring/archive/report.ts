export interface ArchiveReport {
  readonly store: { readonly id: string; readonly domain: string } | null;
  readonly rows: number;
  readonly mediaFiles: number;
  /** Files that live media refer to and the storage does not have. */
  readonly missingMediaFiles: number;
  readonly bytes: number;
}

export type OnProgress = (progress: { readonly table: string; readonly rows: number }) => void;
