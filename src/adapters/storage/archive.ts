import type { Readable } from 'node:stream';

import type { FileId } from '../../domain/ports/media/media-file-repository.ts';
import type { KeyCounts, SealedText, StoredPepper } from './sealed-secrets.ts';

export interface ArchivedStore {
  readonly id: string;
  readonly domain: string;
}

export interface ArchivedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface ArchivedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** The manifest's description of the rows in an archive. */
export interface ArchivedContent {
  /** The only store whose rows these are; null for all. */
  readonly store: ArchivedStore | null;
  readonly migrations: readonly ArchivedMigration[];
  readonly tables: readonly ArchivedTable[];
  readonly sequences: readonly { readonly name: string; readonly last: string }[];
}

/** All rows as they are at one moment, while nodes write. */
export interface Snapshot extends ArchivedContent {
  readonly sealedUnder: KeyCounts;
  readonly peppers: readonly string[];
  /** The rows of a table, each as one line of bytes that `Load.write` takes. It ends with a newline, and has no other. */
  rows(table: ArchivedTable): Readable;
  mediaFiles(): AsyncGenerator<FileId>;
  /**
   * Ends the snapshot, and resolves to the keys of those files that live media refer to now. A database of an older version that
   * cannot tell gives all of them.
   */
  shown(files: readonly FileId[], mediaUrl: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Throws unless the keys of what is sealed are there, or are given as lost. */
export type RequireKeys = (sealed: KeyCounts) => void;

export interface WrittenBackup {
  readonly rows: number;
  readonly bytes: number;
}

export interface LastBackup extends WrittenBackup {
  readonly ageSeconds: number;
}

/** Imported content that only a key opens. */
export interface SealedContent {
  readonly secrets: readonly SealedText[];
  readonly peppers: readonly StoredPepper[];
}

/** A transaction that writes the rows of an archive. */
export interface Load {
  /** Writes the next lines of a table, in the order of the tables. */
  write(table: string, lines: Buffer): Promise<void>;
  /** Rejects with OutcomeUnknown where it may or may not be committed. After any other failure nothing is. */
  commit(): Promise<void>;
  /** Undoes what is not committed. */
  close(): Promise<void>;
}
