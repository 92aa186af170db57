/** Kinds of search results, in the order of the answer. */
export const FOUND_KINDS = [
  'event',
  'delivery',
  'product',
  'request',
  'key',
  'installation',
  'subscription',
  'media_import',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export interface Found {
  readonly kind: FoundKind;
  /** An idempotency key is its own id. */
  readonly id: string;
  /** Name that people use: an event's type, a product's name, a subscription's URL. */
  readonly title: string;
  /** When it came to be. ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** The app that it belongs to, or that caused it. Null where there is none. */
  readonly installationId: string | null;
}

export const MAX_FOUND = 20;

const SECOND = 1_000;
/** Clocks of the nodes and of the database may differ. */
const BEFORE_MS = 10 * SECOND;
/** Events that a request writes later are not found by its id. */
const AFTER_MS = 60 * SECOND;

/** A span of time in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * When an id was made, in milliseconds since the epoch: a UUID of version 7 begins with the time.
 * Null for another one.
 */
export const madeAt = (id: string): number | null =>
  id[14] === '7' ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : null;

/** When a request with this id wrote its events. Null for an id without a time. */
export const spanOf = (requestId: string): Span | null => {
  const at = madeAt(requestId);
  return at === null ? null : { from: at - BEFORE_MS, to: at + AFTER_MS };
};
