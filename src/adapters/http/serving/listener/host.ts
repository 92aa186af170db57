import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

import { parseUrl } from '../../../../domain/values/url.ts';
import { ONE_HOST } from '../reply/refusals.ts';
import { sendError } from '../reply/send-error.ts';
import type { ErrorShape } from '../../route-declaration.ts';

export type TrustsProxy = (address: string | undefined) => boolean;

/** The domain a request is for; `unknown` where no store can have it. */
export type StoreDomain =
  { readonly kind: 'domain'; readonly domain: string } | { readonly kind: 'repeated' } | { readonly kind: 'unknown' };

type Heard = Pick<IncomingMessage, 'headersDistinct'> & { readonly socket: { readonly remoteAddress?: string | undefined } };

const MAX_PEERS = 1_000;

const range = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const [base, bits, ...rest] = text.split('/');
  const valid = ipaddr.IPv6.isValid(base ?? '') || ipaddr.IPv4.isValidFourPartDecimal(base ?? '');
  if (!valid || rest.length > 0) throw new Error(`"${text}" is not an address or a CIDR range`);
  return ipaddr.parseCIDR(bits === undefined ? `${text}/${text.includes(':') ? 128 : 32}` : text);
};

/**
 * Reads TRUSTED_PROXIES: addresses and CIDR ranges. An IPv4 peer on a dual-stack socket
 * (`::ffff:10.0.0.1`) is judged as IPv4. Throws on an entry that is neither.
 */
export const trustsProxies = (entries: readonly string[]): TrustsProxy => {
  const ranges = entries.map(range);
  const trusts = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const peer = ipaddr.process(address);
    return ranges.some(([base, bits]) => base.kind() === peer.kind() && peer.match(base, bits));
  };
  // Few proxies send all requests.
  const known = new LRUCache<string, boolean>({ max: MAX_PEERS, memoMethod: trusts });
  return (address) => ranges.length > 0 && address !== undefined && known.memo(address);
};

const name = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;
/** Characters of a domain name (RFC 1035). */
const MAX_NAME = 253;
const authority = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[^:[\]]{1,254}))(?::\d{0,5})?$/;

/**
 * The host of `host[:port]` in lower case, without the dot of a fully qualified name. An IPv6
 * literal keeps its brackets, in its shortest spelling.
 */
export const hostOf = (text: string): StoreDomain => {
  const parts = authority.exec(text.trim().toLowerCase())?.groups;
  const ipv6 = parts?.['ipv6'];
  if (ipv6 !== undefined) {
    return ipaddr.IPv6.isValid(ipv6)
      ? { kind: 'domain', domain: `[${ipaddr.IPv6.parse(ipv6).toString()}]` }
      : { kind: 'unknown' };
  }
  const domain = parts?.['name']?.replace(/\.$/, '');
  return domain !== undefined && domain.length <= MAX_NAME && name.test(domain)
    ? { kind: 'domain', domain }
    : { kind: 'unknown' };
};

/**
 * The `host[:port]` that the caller asked for. Behind a trusted proxy that says so, the first of
 * X-Forwarded-Host: each further proxy appends its own. Null for a header that is there twice.
 */
const authorityOf = (request: Heard, trusts: TrustsProxy): string | null => {
  const hosts = request.headersDistinct['host'] ?? [];
  const forwarded = trusts(request.socket.remoteAddress) ? (request.headersDistinct['x-forwarded-host'] ?? []) : [];
  if (hosts.length > 1 || forwarded.length > 1) return null;
  return forwarded[0]?.split(',')[0] ?? hosts[0] ?? '';
};

/** Scheme of the caller's request: https where a trusted proxy says so. */
export const schemeOf = (request: Heard, trusts: TrustsProxy): 'http' | 'https' => {
  const forwarded = trusts(request.socket.remoteAddress) ? (request.headersDistinct['x-forwarded-proto'] ?? []) : [];
  return forwarded.length === 1 && forwarded[0]?.split(',')[0]?.trim().toLowerCase() === 'https' ? 'https' : 'http';
};

/** The origin that a page of this listener has for the caller, as RFC 6454 writes it; null for none. */
export const originOf = (request: Heard, trusts: TrustsProxy): string | null => {
  const authority = authorityOf(request, trusts);
  return authority === null ? null : (parseUrl(`${schemeOf(request, trusts)}://${authority.trim()}`)?.origin ?? null);
};

/** The domain that a request's store is found by (docs/specification/credentials.md, "Store of a request"). */
export const storeDomain = (request: Heard, trusts: TrustsProxy): StoreDomain => {
  const authority = authorityOf(request, trusts);
  return authority === null ? { kind: 'repeated' } : hostOf(authority);
};

/**
 * The caller's address, for limits and logs: the peer, or what the nearest proxies that are trusted
 * saw. X-Forwarded-For is read from its end, since a caller can write its beginning.
 */
export const clientAddress = (request: Heard, trusts: TrustsProxy): string => {
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).flatMap((line) => line.split(',')).map((hop) => hop.trim());
  let address = request.socket.remoteAddress ?? '';
  while (trusts(address)) {
    const hop = hops.pop();
    if (hop === undefined || !ipaddr.isValid(hop)) break;
    address = hop;
  }
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
};

/**
 * Accepts a request with one Host header, or HTTP/1.0 without one (RFC 9112, 3.2). Otherwise the
 * store is unknown on every path.
 */
export const oneHost =
  (shape: ErrorShape): RequestHandler =>
  (req, res, next) => {
    const hosts = req.headersDistinct['host']?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) next();
    else sendError(req, res, shape, ONE_HOST);
  };
