import { Unavailable } from '../../unavailable.ts';

/** Bytes of a file, counted from 0. Both ends are included and lie within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Size of the whole file, also for a range. */
  readonly sizeBytes: number;
  /**
   * Read it to the end, or stop with the iterator's `return` (for a stream, destroy it). Otherwise
   * it keeps a descriptor or a connection open.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * The storage is full, unreachable or not writable. The file and the caller are not at fault, and a
 * later attempt may succeed.
 */
export class StorageUnavailable extends Unavailable {
  override readonly name = 'StorageUnavailable';
}

export interface MediaStorage {
  /**
   * Stores the complete local file under the key. Stores nothing when the local file cannot be
   * read. Has the same result when it is repeated. Has the same result when it is called several
   * times at once. Rejects with StorageUnavailable when the storage cannot be used.
   */
  put(key: string, path: string, contentType: string): Promise<void>;
  /** Returns the size of the file in bytes. Returns null when the file does not exist. */
  size(key: string): Promise<number | null>;
  /**
   * Returns the bytes of the file, with its size. Returns a range of the bytes, with the size of
   * the whole file. Returns null when the file does not exist. The caller can stop before the end.
   */
  read(key: string, range?: ByteRange): Promise<StoredFile | null>;
  /**
   * Removes the file. Does nothing when the file does not exist. Rejects with StorageUnavailable
   * when the storage cannot be used.
   */
  remove(key: string): Promise<void>;
  /** Closes the storage, also while a file is being read. */
  close(): Promise<void>;
}
