import type { ImageFault } from '../ports/media/media-source.ts';
import type { Refusal } from '../result.ts';
import { plural } from '../values/plural.ts';

/** The most tries of an item whose image ended the process each time. */
export const MAX_TRIES = 5;

export const IMPORT_STATUSES = ['Queued', 'Running', 'Completed', 'CompletedWithErrors', 'Failed'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];
export const ITEM_STATUSES = ['Pending', 'Downloading', 'Ready', 'Failed'] as const;
type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Reasons for a failed item. `uninstalled`: the app was uninstalled first. */
export const ITEM_ERRORS = [
  'product_not_found',
  'variant_not_found',
  'address_not_allowed',
  'fetch_failed',
  'too_large',
  'unsupported_type',
  'decode_failed',
  'timeout',
  'uninstalled',
] as const satisfies readonly (ImageFault | 'product_not_found' | 'variant_not_found' | 'uninstalled')[];
export type ItemError = (typeof ITEM_ERRORS)[number];

export interface ItemContent {
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId: string | null;
  readonly altText: string | null;
  /** Null is the position after the product's last media. */
  readonly position: number | null;
  readonly aiGenerated: boolean;
}

export type ItemOutcome =
  { readonly status: 'Ready' } | { readonly status: 'Failed'; readonly errorCode: ItemError; readonly error: string };

export interface ObservedItem {
  readonly outcome: 'ready' | ItemError;
  readonly durationSeconds: number;
}

/** The outcome of the items that were open when their app was uninstalled. */
export const UNINSTALLED = {
  status: 'Failed',
  errorCode: 'uninstalled',
  error: 'The app was uninstalled.',
} as const satisfies ItemOutcome;

export const failedItem = ({ code, message }: Refusal<ItemError>): Extract<ItemOutcome, { status: 'Failed' }> => ({
  status: 'Failed',
  errorCode: code,
  error: message,
});

export interface ItemState {
  readonly index: number;
  readonly status: ItemStatus;
  /**
   * The id of the future media. It is chosen at the beginning, so that the media is never added
   * twice.
   */
  readonly mediaId: string;
  readonly errorCode: ItemError | null;
  readonly error: string | null;
  /** When it is tried again, in ISO 8601. Null unless it waits for that. */
  readonly retryAt: string | null;
  readonly retryReason: string | null;
}

export interface MediaImport {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string;
  readonly requestId: string | null;
  readonly status: ImportStatus;
  readonly items: readonly ItemState[];
}

/** The import as its app sees it (docs/specification/media.md, "Imports"). A media id appears when the media exists. */
export interface ImportView {
  readonly importId: string;
  readonly status: ImportStatus;
  readonly items: readonly (Omit<ItemState, 'mediaId'> & { readonly mediaId: string | null })[];
}

export const isOpen = ({ status }: Pick<ItemState, 'status'>): boolean => status === 'Pending' || status === 'Downloading';

export const hasEnded = ({ status }: Pick<MediaImport, 'status'>): boolean => status !== 'Queued' && status !== 'Running';

const statusOf = (items: readonly ItemState[]): ImportStatus => {
  if (items.some(isOpen)) return 'Running';
  const failed = items.filter(({ status }) => status === 'Failed').length;
  if (failed === 0) return 'Completed';
  return failed === items.length ? 'Failed' : 'CompletedWithErrors';
};

export const withOutcome = (before: MediaImport, index: number, outcome: ItemOutcome): MediaImport => {
  const items = before.items.map((item) => (item.index === index ? { ...item, ...outcome } : item));
  return { ...before, items, status: statusOf(items) };
};

export const importView = ({ id, status, items }: Pick<MediaImport, 'id' | 'status' | 'items'>): ImportView => ({
  importId: id,
  status,
  items: items.map((item) => ({ ...item, mediaId: item.status === 'Ready' ? item.mediaId : null })),
});

/** Bounds the time that a host keeps an import open, with the number of waits. */
export const MAX_RETRY_AFTER_SECONDS = 900;

/**
 * The seconds until the host is asked again (docs/specification/media.md, "Retries"). `asked` counts how often it was asked. Null when
 * it is not asked again.
 */
export const retryWait = (asked: number, retryAfterSeconds: number | null, waits: readonly number[]): number | null => {
  const wait = waits[asked - 1];
  return wait === undefined ? null : Math.max(wait, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS));
};

/** Message for an item whose host kept failing. `reason` is the last one. */
export const askedTooOften = (reason: string, asked: number): string => `${reason} The host was asked ${plural(asked, 'time')}.`;
