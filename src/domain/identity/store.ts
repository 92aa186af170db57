export const STORE_STATUSES = ['Active', 'Inactive'] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Store {
  readonly id: string;
  /** The primary domain: lower-cased host, no port. Requests find the store by it. */
  readonly domain: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: StoreStatus;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const DEFAULT_CURRENCY = 'USD';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The domain in the spelling that is kept, lower case; null when it is no host name (RFC 1123: also `localhost`, also an IPv4 address). No port. */
export const parseDomain = (text: string): string | null => {
  const domain = text.toLowerCase();
  return domain.length <= 253 && domain.split('.').every((label) => LABEL.test(label)) ? domain : null;
};
