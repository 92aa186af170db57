import { refuse } from '../result.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { id, int64, text, time } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';

export const STORE_STATUSES = ['Active', 'Inactive'] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

/** A request's Host selects the store by its domain, which is in lower case and has no port. */
export const STORE = resource('Store', {
  id: id({ example: 1 }),
  domain: text({ example: 'shop.example.com' }),
  name: text({ example: 'Shop' }),
  currency: text({ example: 'EUR' }),
  status: text({ values: STORE_STATUSES, example: 'Active' }),
  sandboxAppId: id({
    orNull: true,
    about: 'The platform app whose developer made this sandbox store. Null for the store of a merchant.',
  }),
  createdAt: time({ example: EXAMPLE_TIME }),
  updatedAt: time({ orNull: true }),
});
export type Store = Resource<typeof STORE>;

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

export const ERASURE = resource('StoreErasure', {
  storeId: id({ example: 1 }),
  domain: text({ example: 'shop.example.com', about: 'The former domain of the store. It is now available to other stores.' }),
  acceptedAt: time({ example: EXAMPLE_TIME }),
  erasedRows: int64({ example: 120_000, about: 'The number of rows erased so far.' }),
});
export type Erasure = Resource<typeof ERASURE>;

/**
 * A store's last rows and its files go this many seconds after the request. By then a node has
 * written what it gathered before (refusals, uses of keys), and has ended the import of an image.
 */
export const ERASURE_SETTLES_SECONDS = 60;
