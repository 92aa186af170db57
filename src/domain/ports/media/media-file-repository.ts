import type { ImageType } from '../../media/media-file.ts';

/** A file of a store that the media storage has or is about to have. */
export interface KnownFile {
  readonly storeId: string;
  readonly key: string;
  readonly contentType: ImageType;
  readonly sizeBytes: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Names a record. A file that was freed and announced again has another. Null: of an older version. */
export type FileRecord = string | null;

export type FileId = Pick<KnownFile, 'storeId' | 'key'>;

export interface MediaFileRepository {
  /**
   * Records a file before it is stored. Records an announced file again, as announced now. Returns
   * the record, which stays until the file is freed. Waits while the file is being freed.
   */
  announce(file: KnownFile): Promise<FileRecord>;
  /**
   * Looks at `limit` files by store and key, after `after` or from the first. Returns the files
   * that were announced more than an hour ago and that no live media of their store refers to. A
   * media refers to a file by its storageKey: the key, or `mediaUrl` and the key. Returns in `last`
   * where to continue, and null at the end.
   */
  unused(
    mediaUrl: string,
    after: FileId | null,
    limit: number,
  ): Promise<{ readonly files: readonly FileId[]; readonly last: FileId | null }>;
  /**
   * Calls `remove` for an unused file and deletes its record. Returns false and does nothing when
   * the file is not unused any more. Returns false and does nothing while a transaction keeps the
   * file. Keeps the record and rejects when `remove` rejects.
   */
  free(mediaUrl: string, file: FileId, remove: (key: string) => Promise<void>): Promise<boolean>;
}

export interface MediaFileUse {
  /**
   * Keeps the file from being freed until the transaction ends. Does not keep others from
   * announcing it or referring to it. Returns false when the file has no record. Returns false when
   * the file was freed since this record of it, also when another has announced it again.
   */
  keep(storeId: string, key: string, record: FileRecord): Promise<boolean>;
}
