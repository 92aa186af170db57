import { hash } from 'node:crypto';

import type { Application } from '../../../application/index.ts';
import type { Authenticated } from '../../../application/identity/authenticate.ts';
import { decideRateLimit } from '../../../domain/identity/rate-limit.ts';
import type { RateLimitDecision, RateLimitPolicy } from '../../../domain/identity/rate-limit.ts';

interface Window {
  failures: number;
  readonly endsAt: number;
}

export interface FailedTokensOptions {
  /** Failed lookups that one address may cause. */
  readonly policy: RateLimitPolicy;
  /** Milliseconds; Date.now by default. */
  readonly now?: () => number;
  /** Entries that each table holds at most; 20,000 by default. */
  readonly capacity?: number;
}

export type TokenLookup =
  Authenticated | { readonly ok: false; readonly reason: 'rate_limited'; readonly limit: RateLimitDecision };

/**
 * Bounds the database lookups that tokens without an owner cause. Failures are counted by address in this process alone, so a valid request
 * costs no round trip more. Once an address has spent its budget, only tokens that were valid on this node before are looked up for it: an
 * app behind the same NAT still works. Such a token is looked up as before, so a revocation applies from the next request.
 */
export class FailedTokens {
  readonly #options: Required<FailedTokensOptions>;
  readonly #windows = new Map<string, Window>();
  // Two generations: a hit changes nothing, and the older half is dropped at once when the younger is full.
  #young = new Set<string>();
  #old = new Set<string>();

  constructor({ policy, now = Date.now, capacity = 20_000 }: FailedTokensOptions) {
    this.#options = { policy, now, capacity };
  }

  /** Looks the token up unless the address has spent its budget. `address` is only asked for a token that is not known. */
  async lookUp(token: string, address: () => string, authenticate: () => Promise<Authenticated>): Promise<TokenLookup> {
    const digest = digestOf(token);
    const known = this.#isKnown(digest);
    if (!known) {
      const limit = this.#decide(address());
      if (!limit.allowed) return { ok: false, reason: 'rate_limited', limit };
    }
    const result = await authenticate();
    if (result.ok) {
      if (!known) this.#remember(digest);
    } else if (result.reason !== 'malformed') {
      this.#forget(digest);
      this.#count(address());
    }
    return result;
  }

  /** A token that this node has just issued. */
  issued(token: string): void {
    this.#remember(digestOf(token));
  }

  /** Addresses and tokens that are held now. */
  get size(): number {
    return this.#windows.size + this.#young.size + this.#old.size;
  }

  #decide(address: string): RateLimitDecision {
    const { policy, now } = this.#options;
    const { failures, endsAt } = this.#current(address) ?? { failures: 0, endsAt: 0 };
    return decideRateLimit(policy, failures + 1, endsAt - now());
  }

  #current(address: string): Window | undefined {
    const window = this.#windows.get(address);
    return window && window.endsAt > this.#options.now() ? window : undefined;
  }

  #count(address: string): void {
    const window = this.#current(address);
    if (window) {
      window.failures += 1;
      return;
    }
    const { policy, now, capacity } = this.#options;
    // A new window comes last, so the first is the one that ends first.
    this.#windows.delete(address);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= capacity && oldest !== undefined) this.#windows.delete(oldest);
    this.#windows.set(address, { failures: 1, endsAt: now() + policy.windowSeconds * 1000 });
  }

  #isKnown(digest: string): boolean {
    if (this.#young.has(digest)) return true;
    if (!this.#old.delete(digest)) return false;
    this.#remember(digest);
    return true;
  }

  #remember(digest: string): void {
    if (this.#young.size >= this.#options.capacity / 2) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(digest);
  }

  #forget(digest: string): void {
    this.#young.delete(digest);
    this.#old.delete(digest);
  }
}

/** The application. Every token that it issues here is remembered. */
export const rememberIssued = (application: Application, failures: FailedTokens): Application => ({
  ...application,
  exchangeToken: async (credentials) => {
    const exchanged = await application.exchangeToken(credentials);
    if (exchanged.ok) failures.issued(exchanged.value.accessToken);
    return exchanged;
  },
});

/** No token is kept, only its digest. */
const digestOf = (token: string): string => hash('sha256', token, 'base64');
