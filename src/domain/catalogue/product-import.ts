import type { ProductDocument } from './product.ts';
import type { RemovalCounts } from './removals.ts';

/** A part of an imported file that could not be imported. */
export interface ImportFault {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly message: string;
}

/** A part of an imported file that was not imported exactly as it is. */
export type ImportNote = ImportFault;

/** Position of an item in its file. */
interface Placed {
  /** Line of the item's first row. */
  readonly line: number;
  /**
   * First line after this item. The file up to it is in this item and the earlier ones. By default
   * it is the line after the item's.
   */
  readonly nextLine?: number;
}

/** A product of a file. Its notes are reported when it is saved. */
export interface FoundProduct extends Placed {
  /** Approximate number of bytes. */
  readonly size?: number;
  readonly document: ProductDocument;
  readonly notes?: readonly ImportNote[];
}

/** A product that could not be read. `refusesFile`: nothing of the file can be, and it ends here. */
export interface UnreadProduct extends Placed, ImportFault {
  readonly refusesFile?: true;
  /** The line of an earlier product of the file that does not count: these rows are a part of it. */
  readonly spoils?: number;
}

export interface FileNote {
  readonly about: ImportNote;
}

export type ImportItem = FoundProduct | UnreadProduct | FileNote;

/** The most errors, and the most notes, of a report. `failed` stays exact. */
export const MAX_REPORTED = 1_000;

/**
 * After this many rows from its start without a product that can be imported, the rest of a file is
 * not read. It is not a catalogue, and to report each of ten million rows takes minutes.
 */
export const MAX_USELESS = 25_000;

/** Says what helps where text is not valid in the default charset. The command line has words of its own. */
export const NAME_CHARSET = 'If the file has another charset, name it, for example windows-1252.';

export const uselessFile = (nextLine: number): string =>
  `Nothing before line ${nextLine} can be imported, so the rest of the file was not read.`;

/** The products of a file by what the import has done: `read` = created + updated + unchanged + failed. */
export interface FileCounts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** Also counts what the import has removed. */
export interface ImportCounts extends FileCounts {
  readonly variantsRemoved: number;
  readonly imagesRemoved: number;
  /** Available stock of the removed variants. */
  readonly stockRemoved: number;
}

export const NO_COUNTS: ImportCounts = {
  ...{ read: 0, created: 0, updated: 0, unchanged: 0, failed: 0 },
  ...{ variantsRemoved: 0, imagesRemoved: 0, stockRemoved: 0 },
};

export interface ImportProgress extends ImportCounts {
  /** Everything before this line of the file is done. */
  readonly nextLine: number;
}

export const IMPORT_ENDS = ['complete', 'refused', 'stopped'] as const;

/** The result of an import. `errors` and `notes` list only the first ones. */
export interface ImportReport extends ImportCounts {
  /**
   * `complete`: the file was read to its end. `refused`: nothing of it was imported, because it is
   * not a catalogue or would remove much. `stopped`: the server stopped first, or the access of the
   * sender ended. The first error tells why it was not complete.
   */
  readonly ended: (typeof IMPORT_ENDS)[number];
  /** The first line that was not imported, where it was stopped. */
  readonly nextLine: number | null;
  /** Removals that the file was refused for. */
  readonly wouldRemove: RemovalCounts | null;
  readonly errors: readonly ImportFault[];
  readonly notes: readonly ImportNote[];
}
