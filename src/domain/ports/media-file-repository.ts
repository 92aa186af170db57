import type { ImageType } from '../media/media-file.ts';

/** What the media storage has, or is about to have, under a key of the store. */
export interface KnownFile {
  readonly storeId: string;
  readonly key: string;
  readonly contentType: ImageType;
  readonly sizeBytes: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export type FileId = Pick<KnownFile, 'storeId' | 'key'>;

/** The storage's files as rows, so that none is ever unknown: a file is announced before it is put, and forgotten when it is removed. */
export interface MediaFileRepository {
  /** Makes the file known, or known anew, before it is put; waits while it is being freed. What was announced lately is not freed. */
  announce(file: KnownFile): Promise<void>;
  /**
   * Looks at up to `limit` files, by store and key, from behind `after`, or from the first. Answers those that no media of their store refers to, and that were announced more than
   * an hour ago; `last` is where to go on, null at the end. A media refers by its storageKey: the key, or the address that has it behind `mediaUrl`; one that is deleted, or whose
   * product is, doesn't.
   */
  unused(
    mediaUrl: string,
    after: FileId | null,
    limit: number,
  ): Promise<{ readonly files: readonly FileId[]; readonly last: FileId | null }>;
  /**
   * Takes the file for itself, judges it again, has it removed, and forgets it. False, and it is left alone, when it isn't unused (any more), or another takes or keeps it now. When
   * `remove` rejects it stays known, and so does this.
   */
  free(mediaUrl: string, file: FileId, remove: (key: string) => Promise<void>): Promise<boolean>;
}

/** Bound to the transaction that adds a media which refers to the file. */
export interface MediaFileUse {
  /** Keeps the file from being freed until the transaction ends. False, and it is to be announced and put again, when it isn't known (any more). */
  keep(storeId: string, key: string): Promise<boolean>;
}
