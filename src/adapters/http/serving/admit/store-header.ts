import { hostOf, type StoreDomain } from '../listener/host.ts';
import { STORE_HEADER_ELSEWHERE, STORE_HEADER_IN_PRODUCTION, type RouteError } from '../reply/refusals.ts';

/**
 * Allows a request to name its store by `X-Tenon-Store`: in development, where few languages
 * resolve `*.localhost`.
 */
export type StoreHeader = 'taken' | 'refused';

const OWN_ADDRESSES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The store that the header names, in place of that of the host (docs/specification/credentials.md, "Store of a request"). */
export const storeOfHeader = (
  host: StoreDomain,
  names: readonly string[],
  header: StoreHeader,
): StoreDomain | { readonly kind: 'refused'; readonly error: RouteError } => {
  if (header === 'refused') return { kind: 'refused', error: STORE_HEADER_IN_PRODUCTION };
  const isOwn = host.kind === 'domain' && OWN_ADDRESSES.has(host.domain);
  const [name] = names;
  if (!isOwn || names.length > 1 || name === undefined) return { kind: 'refused', error: STORE_HEADER_ELSEWHERE };
  return hostOf(name);
};
