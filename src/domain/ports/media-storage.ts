/** Bytes of a file, both ends included, counted from 0; within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Of the whole file, whatever the range. */
  readonly sizeBytes: number;
  /** To be read to the end or left by the iterator's `return` (a stream: destroyed); what stays unread holds a descriptor or a connection. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Why the storage can't: it is full, away or not to be written. No fault of the file or the caller, and worth another try later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/**
 * Keeps the bytes of media under keys of media-file.ts: a key names what is in the file, so the same key is always the same bytes. Rejects with StorageUnavailable, and in bounded
 * time, when it can't.
 */
export interface MediaStorage {
  /** Keeps the local file at `path` under the key, whole or not at all. Again, or by two at once, is the same as once. */
  put(key: string, path: string, contentType: string): Promise<void>;
  /** How many bytes there are under the key; null when it isn't there. */
  size(key: string): Promise<number | null>;
  /** The file, or a range of it; null when it isn't there. */
  read(key: string, range?: ByteRange): Promise<StoredFile | null>;
  /** Removes the file. One that isn't there is no error. */
  remove(key: string): Promise<void>;
  /** Closes what is open. */
  close(): Promise<void>;
}
