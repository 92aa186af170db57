import type { ImportStatus, ItemError, ItemState } from './media-import.ts';

/** An import as the merchant sees it in a list. Times are ISO 8601 in UTC with milliseconds. */
export interface ImportSummary {
  readonly id: string;
  readonly installationId: string;
  readonly status: ImportStatus;
  readonly items: { readonly total: number; readonly ready: number; readonly failed: number };
  readonly createdAt: string;
  /** Null while it is queued or running. */
  readonly finishedAt: string | null;
  /** Of the first item that failed. */
  readonly firstError: { readonly code: ItemError; readonly message: string } | null;
}

/** With all that is known of its items. */
export interface ImportDetail extends Omit<ImportSummary, 'items'> {
  readonly storeId: string;
  /** The request that created it, by its X-Request-Id. */
  readonly requestId: string | null;
  readonly items: readonly ImportItem[];
}

/** A media id is that of a media which exists: null until the item is Ready. */
export interface ImportItem extends Omit<ItemState, 'mediaId'> {
  readonly mediaId: string | null;
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId: string | null;
}

/** The error of the first item that failed. */
export const firstErrorOf = (items: readonly Pick<ItemState, 'errorCode' | 'error'>[]): ImportSummary['firstError'] => {
  const failed = items.find(({ errorCode }) => errorCode !== null);
  return failed?.errorCode == null ? null : { code: failed.errorCode, message: failed.error ?? '' };
};
