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
  readonly firstError: { readonly code: ItemError; readonly message: string } | null;
}

export interface ImportDetail extends Omit<ImportSummary, 'items'> {
  readonly storeId: string;
  readonly requestId: string | null;
  readonly items: readonly MediaImportItem[];
}

/** A media id is that of a media which exists: null until the item is Ready. */
export interface MediaImportItem extends Omit<ItemState, 'mediaId'> {
  readonly mediaId: string | null;
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId: string | null;
}

export const firstErrorOf = (items: readonly Pick<ItemState, 'errorCode' | 'error'>[]): ImportSummary['firstError'] => {
  const failed = items.find(({ errorCode }) => errorCode !== null);
  return failed?.errorCode == null ? null : { code: failed.errorCode, message: failed.error ?? '' };
};
