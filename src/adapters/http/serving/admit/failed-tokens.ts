import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

import type { Application } from '../../../../application/index.ts';
import type { Authenticated } from '../../../../application/identity/authenticate.ts';
import type { TokenRejection } from '../../../../domain/identity/token.ts';
import { decideRateLimit, type RateLimitDecision, type RateLimitPolicy } from '../../../../domain/identity/rate-limit.ts';

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** A process's news about a token: the address that failed with it, or the digest of one that is valid. */
export type TokenNews = { readonly failed: string } | { readonly known: string };

export interface FailedTokensOptions {
  readonly policy: RateLimitPolicy;
  /** Tells the other processes of this node what `hear` takes there. */
  readonly tell?: (news: TokenNews) => void;
  /** Milliseconds; Date.now by default. */
  readonly now?: () => number;
  /** Entries that each table holds at most; 20,000 by default. */
  readonly capacity?: number;
}

type Found = Authenticated | { readonly ok: boolean; readonly reason?: TokenRejection };

interface NotLookedUp {
  readonly ok: false;
  readonly reason: 'rate_limited';
  readonly limit: RateLimitDecision;
}

export type TokenLookup = Authenticated | NotLookedUp;

/**
 * Bounds the database lookups that tokens without an owner cause. Failures are counted by address
 * on this node alone, so a valid request costs no round trip more. Once an address has spent its
 * budget, only tokens that were valid on this node before are looked up for it: an app behind the
 * same NAT still works. Such a token is looked up as before, so a revocation applies from the next
 * request.
 */
export class FailedTokens {
  readonly #policy: RateLimitPolicy;
  readonly #tell: (news: TokenNews) => void;
  readonly #now: () => number;
  readonly #windows: LRUCache<string, Window>;
  readonly #known: LRUCache<string, true>;

  constructor({ policy, tell = () => undefined, now = Date.now, capacity = 20_000 }: FailedTokensOptions) {
    this.#policy = policy;
    this.#tell = tell;
    this.#now = now;
    this.#windows = new LRUCache({ max: capacity });
    this.#known = new LRUCache({ max: capacity });
  }

  /**
   * Looks the token up unless the address has spent its budget. `address` is only asked for a token
   * that is not known.
   */
  async lookUp<F extends Found>(token: string, address: () => string, authenticate: () => Promise<F>): Promise<F | NotLookedUp> {
    const digest = digestOf(token);
    const isKnown = this.#known.get(digest) !== undefined;
    if (!isKnown) {
      const limit = this.#decide(address());
      if (!limit.allowed) return { ok: false, reason: 'rate_limited', limit };
    }
    const result = await authenticate();
    if (result.ok) this.#learn(digest, isKnown);
    else if (result.reason !== 'malformed') {
      this.#known.delete(digest);
      this.#count(address());
      this.#tell({ failed: address() });
    }
    return result;
  }

  issued(token: string): void {
    this.#learn(digestOf(token), false);
  }

  hear(news: TokenNews): void {
    if ('failed' in news) this.#count(news.failed);
    else this.#known.set(news.known, true);
  }

  get size(): number {
    return this.#windows.size + this.#known.size;
  }

  #learn(digest: string, isKnown: boolean): void {
    this.#known.set(digest, true);
    if (!isKnown) this.#tell({ known: digest });
  }

  #decide(address: string): RateLimitDecision {
    const { failures, endsAt } = this.#current(address) ?? { failures: 0, endsAt: 0 };
    return decideRateLimit(this.#policy, failures + 1, endsAt - this.#now());
  }

  #current(address: string): Window | undefined {
    const window = this.#windows.get(address);
    return window && window.endsAt > this.#now() ? window : undefined;
  }

  #count(address: string): void {
    const window = this.#current(address);
    if (window) window.failures += 1;
    else this.#windows.set(address, { failures: 1, endsAt: this.#now() + this.#policy.windowSeconds * 1000 });
  }
}

export const rememberIssued = (application: Application, failures: FailedTokens): Application => ({
  ...application,
  exchangeToken: async (credentials, count) => {
    const exchanged = await application.exchangeToken(credentials, count);
    if (exchanged.ok) failures.issued(exchanged.value.accessToken);
    return exchanged;
  },
});

/** No token is kept, only its digest. */
const digestOf = (token: string): string => hash('sha256', token, 'base64');
