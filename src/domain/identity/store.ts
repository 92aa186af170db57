import { refuse } from '../result.ts';

export const STORE_STATUSES = ['Active', 'Inactive'] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Store {
  readonly id: string;
  /**
   * The primary domain: a lower-cased host without a port. A request's Host selects the store by
   * it.
   */
  readonly domain: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: StoreStatus;
  /** The platform app whose developer made the store, to try the app there; null for the store of a merchant. */
  readonly sandboxAppId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const DEFAULT_CURRENCY = 'USD';

/** For a person who followed a link. An inactive store is not told from one that does not exist. */
export const NO_OPEN_STORE = refuse('not_found', 'No store is open at this address. Go back, and check the name of the store.');

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The domain in lower case, as it is kept; null when the text is not a host name of RFC 1123, such
 * as `localhost` or an IPv4 address.
 */
export const parseDomain = (text: string): string | null => {
  const domain = text.toLowerCase();
  return domain.length <= 253 && domain.split('.').every((label) => LABEL.test(label)) ? domain : null;
};

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
