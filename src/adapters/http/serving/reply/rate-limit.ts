import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';

import type { RateLimitBucket, RateLimitDecision } from '../../../../domain/identity/rate-limit.ts';
import type { RateLimiter } from '../../../../domain/ports/identity/rate-limiter.ts';
import type { LimitAtOnce, RequestLimits } from '../../handler.ts';
import { TOO_MANY_REQUESTS } from './refusals.ts';

/** The names of the limits in the headers; `failed-tokens` (failed-tokens.ts) is counted on each node alone. */
type LimitName = RateLimitBucket | 'failed-tokens' | LimitAtOnce;

const append = (res: ServerResponse, name: string, item: string): void => {
  const before = res.getHeader(name);
  res.setHeader(name, before === undefined ? item : `${String(before)}, ${item}`);
};

/**
 * Tells a decision in the response's headers: `RateLimit-Policy` and `RateLimit` (the IETF's draft,
 * structured fields: q requests per w seconds; r left, t seconds to go), and, where it refuses, a
 * `Retry-After` that agrees with them. A response that two buckets decide on lists both and waits
 * for the slower.
 */
export const setRateLimitHeaders = (res: ServerResponse, bucket: LimitName, decision: RateLimitDecision): void => {
  append(res, 'RateLimit-Policy', `"${bucket}";q=${decision.limit};w=${decision.windowSeconds}`);
  append(res, 'RateLimit', `"${bucket}";r=${decision.remaining};t=${decision.resetSeconds}`);
  if (decision.allowed) return;
  res.setHeader('Retry-After', String(Math.max(decision.resetSeconds, Number(res.getHeader('Retry-After') ?? 0))));
};

/** Counts for the request that this answers, and tells each decision in its headers. */
export const limiting =
  (limiter: RateLimiter, response: ServerResponse): RequestLimits['limit'] =>
  async (bucket, key) => {
    const decision = await limiter.consume(bucket, key);
    setRateLimitHeaders(response, bucket, decision);
    return decision.allowed ? null : TOO_MANY_REQUESTS;
  };

/** The key under which a client id is counted: 43 characters for every id. */
export const clientKey = (clientId: string): string => hash('sha256', clientId, 'base64url');

/** Key for counting an address: an IPv6 caller holds a /64 at least, so that is counted as one. */
export const addressKey = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
};
