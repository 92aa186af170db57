export interface Erasure {
  readonly storeId: string;
  /** Domain of the store before its erasure. Another store may have it now. */
  readonly domain: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly acceptedAt: string;
  readonly erasedRows: number;
}

/**
 * A store's last rows and its files go this many seconds after the request. By then a node has
 * written what it gathered before (refusals, uses of keys), and has ended the import of an image.
 */
export const ERASURE_SETTLES_SECONDS = 60;
