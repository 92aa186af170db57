import type { ProductDocument } from './product.ts';

/** Something in an imported file that could not be taken in. */
export interface ImportFault {
  /** Where in the file it stands, from 1. */
  readonly line: number;
  readonly message: string;
}

/** Something in an imported file that was taken in, but not as it is there. */
export type ImportNote = ImportFault;

/**
 * One product of a file, or why there is none. `line` is where its first row begins, `size` about how many bytes it took there; the notes are
 * reported when the product is saved.
 */
export type ImportItem =
  | {
      readonly line: number;
      readonly size?: number;
      readonly document: ProductDocument;
      readonly notes?: readonly ImportNote[];
    }
  | ImportFault;

export const isFault = (item: ImportItem): item is ImportFault => 'message' in item;

/** How far an import has come: `read` = created + updated + failed. */
export interface ImportCounts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** What an import did; `errors` may be shorter than `failed`, and not every note may be in `notes`. */
export interface ImportReport extends ImportCounts {
  readonly errors: readonly ImportFault[];
  readonly notes: readonly ImportNote[];
}
