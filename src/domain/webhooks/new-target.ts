import type { Refusal } from '../result.ts';
import { badPortOf, parseUrl } from '../values/url.ts';
import { isAllowed, type Cidr } from './address.ts';
import { invalid } from './webhook-url.ts';

/**
 * Top-level names that the public DNS never has, but that a cluster or a developer's machine may
 * have: Kubernetes, RFC 6761, RFC 9476.
 */
const INNER_NAMES = ['svc', 'test', 'alt'];

/**
 * Refuses the URL of a new subscription for what subscriptions of earlier versions may have: a name
 * of a cluster, or a port of another protocol. Both may lead to allowed ranges.
 */
export const checkNewTarget = (
  { url: text, host }: { readonly url: string; readonly host: string },
  addresses: readonly Uint8Array[],
  allowed: readonly Cidr[],
): Refusal<'invalid'> | null => {
  if (addresses.length > 0 && addresses.every((address) => isAllowed(address, allowed))) return null;
  const url = parseUrl(text);
  const port = url && badPortOf(url);
  if (port !== null) return invalid(`url must not use port ${port}, which belongs to another protocol.`);
  if (!INNER_NAMES.includes(host.split('.').at(-1) ?? '')) return null;
  return invalid('url must have a host name of the public DNS.');
};
