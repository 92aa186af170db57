import type { NewEvent } from '../webhooks/event.ts';
import type { ImageFault } from '../ports/media-source.ts';
import { isLongerThan } from '../values/text.ts';
import { MAX_URL_LENGTH } from '../webhooks/webhook-url.ts';
import { parseUrl } from '../values/url.ts';

export const MAX_ITEMS = 20;
export const MAX_ALT_TEXT_LENGTH = 1000;
/** So often an item is begun at most, where each time the process ended over it. */
export const MAX_TRIES = 5;

export const IMPORT_STATUSES = ['Queued', 'Running', 'Completed', 'CompletedWithErrors', 'Failed'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];
export const ITEM_STATUSES = ['Pending', 'Downloading', 'Ready', 'Failed'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Why an item failed. `uninstalled`: the app was before its turn came. */
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

/** What an item asks for. */
export interface ItemContent {
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId: string | null;
  readonly altText: string | null;
  /** Null: after the product's last media. */
  readonly position: number | null;
  readonly aiGenerated: boolean;
}

export interface ItemInput {
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId?: string | null | undefined;
  readonly altText?: string | null | undefined;
  readonly position?: number | null | undefined;
  readonly aiGenerated?: boolean | undefined;
}

/** What became of an item; `error` is public. */
export type ItemOutcome =
  { readonly status: 'Ready' } | { readonly status: 'Failed'; readonly errorCode: ItemError; readonly error: string };

/** What the metrics are told of an item that has ended. */
export interface ObservedItem {
  readonly outcome: 'ready' | ItemError;
  readonly durationSeconds: number;
}

/** Of what was open when its app went. */
export const UNINSTALLED = {
  status: 'Failed',
  errorCode: 'uninstalled',
  error: 'the app was uninstalled',
} as const satisfies ItemOutcome;

export interface ItemState {
  readonly index: number;
  readonly status: ItemStatus;
  /** Of the media it becomes, known from the beginning: the same media is never added twice. */
  readonly mediaId: string;
  readonly errorCode: ItemError | null;
  readonly error: string | null;
}

export interface MediaImport {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string;
  readonly status: ImportStatus;
  /** By index. */
  readonly items: readonly ItemState[];
}

/** The import as its app sees it (decisions.md, Media import). A media id is told once the media is there. */
export interface ImportView {
  readonly importId: string;
  readonly status: ImportStatus;
  readonly items: readonly (Omit<ItemState, 'mediaId'> & { readonly mediaId: string | null })[];
}

const httpUrl = /^https?:\/\/[^/]/i;

/** What is wrong with an address whatever host it names; null when nothing. Whether the host may be dialled is judged when it is. */
const sourceFault = (text: string): string | null => {
  if (isLongerThan(text, MAX_URL_LENGTH)) return `must have at most ${MAX_URL_LENGTH} characters`;
  const url = parseUrl(text);
  // The parser would strip blanks and repair the rest.
  if (!httpUrl.test(text) || /[\s\p{Cc}]/u.test(text) || !url) return 'must be an absolute https URL';
  const { username, password } = url;
  return username === '' && password === '' ? null : 'must not hold credentials';
};

const itemFault = ({ sourceUrl, altText }: ItemInput): string | null => {
  const source = sourceFault(sourceUrl);
  if (source !== null) return `sourceUrl ${source}`;
  return altText != null && isLongerThan(altText, MAX_ALT_TEXT_LENGTH)
    ? `altText must have at most ${MAX_ALT_TEXT_LENGTH} characters`
    : null;
};

/** All rules of POST /apps/media/imports, with the public text of the first that is broken. */
export const parseItems = (items: readonly ItemInput[]): { readonly value: ItemContent[] } | { readonly fault: string } => {
  if (items.length === 0 || items.length > MAX_ITEMS) return { fault: `items must hold 1 to ${MAX_ITEMS} items` };
  for (const [index, item] of items.entries()) {
    const fault = itemFault(item);
    if (fault !== null) return { fault: `items[${index}].${fault}` };
  }
  return {
    value: items.map(({ productVariantId, altText, position, aiGenerated, ...item }) => ({
      ...item,
      productVariantId: productVariantId ?? null,
      altText: altText ?? null,
      position: position ?? null,
      aiGenerated: aiGenerated ?? false,
    })),
  };
};

export const isOpen = ({ status }: Pick<ItemState, 'status'>): boolean => status === 'Pending' || status === 'Downloading';

export const hasEnded = ({ status }: Pick<MediaImport, 'status'>): boolean => status !== 'Queued' && status !== 'Running';

const statusOf = (items: readonly ItemState[]): ImportStatus => {
  if (items.some(isOpen)) return 'Running';
  const failed = items.filter(({ status }) => status === 'Failed').length;
  if (failed === 0) return 'Completed';
  return failed === items.length ? 'Failed' : 'CompletedWithErrors';
};

/** The import after one of its items ended so; with the last one it ends as well. */
export const withOutcome = (before: MediaImport, index: number, outcome: ItemOutcome): MediaImport => {
  const items = before.items.map((item) => (item.index === index ? { ...item, ...outcome } : item));
  return { ...before, items, status: statusOf(items) };
};

export const importView = ({ id, status, items }: MediaImport): ImportView => ({
  importId: id,
  status,
  items: items.map((item) => ({ ...item, mediaId: item.status === 'Ready' ? item.mediaId : null })),
});

/** What the end of an import tells; nothing while it goes on. */
export const importEvents = (ended: MediaImport): NewEvent[] => {
  if (!hasEnded(ended)) return [];
  const { importId, ...rest } = importView(ended);
  return [
    {
      storeId: ended.storeId,
      type: ended.status === 'Failed' ? 'media.import_failed' : 'media.import_completed',
      resourceId: importId,
      origin: ended.installationId,
      data: { id: importId, ...rest },
    },
  ];
};
