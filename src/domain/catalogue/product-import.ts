import type { ProductDocument } from './product.ts';

/** A part of an imported file that could not be imported. */
export interface ImportFault {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly message: string;
}

/** A part of an imported file that was imported with a change. */
export type ImportNote = ImportFault;

/**
 * One product of a file, or the reason why it could not be read. `line` is the line of its first
 * row and `size` its approximate number of bytes. The notes are reported when the product is saved.
 */
export type ImportItem =
  | {
      readonly line: number;
      readonly size?: number;
      readonly document: ProductDocument;
      readonly notes?: readonly ImportNote[];
    }
  | (ImportFault & { readonly size?: undefined });

export const isFault = (item: ImportItem): item is ImportFault => 'message' in item;

/** The most errors, and the most notes, of a report. `failed` stays exact. */
export const MAX_REPORTED = 1_000;

/** The progress of an import: `read` = created + updated + failed. */
export interface ImportCounts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** The result of an import. `errors` and `notes` list only the first ones. */
export interface ImportReport extends ImportCounts {
  readonly errors: readonly ImportFault[];
  readonly notes: readonly ImportNote[];
}
