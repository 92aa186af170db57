export interface ArchiveReport {
  readonly store: { readonly id: string; readonly domain: string } | null;
  readonly rows: number;
  readonly mediaFiles: number;
  /** Files that live media refer to and the storage does not have. */
  readonly missingMediaFiles: number;
  /** Number of its secrets that nothing opens, by the names of the keys that LOST_SECRET_KEYS has. */
  readonly lostSecrets: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export type OnProgress = (progress: { readonly table: string; readonly rows: number }) => void;
