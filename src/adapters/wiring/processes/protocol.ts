import type { RateLimitBucket, RateLimitDecision } from '../../../domain/identity/rate-limit.ts';
import type { Line } from '../../cluster/line.ts';
import type { TokenNews } from '../../http/serving/failed-tokens.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';

/** What an API process asks the primary process. */
export interface Asked {
  /** Counts a request, as RateLimiter does. */
  readonly count: { readonly question: readonly [RateLimitBucket, string]; readonly answer: RateLimitDecision };
  /** Whether one more request of the installation may wait for the feed. */
  readonly wait: { readonly question: string; readonly answer: boolean };
}

/** What the primary process asks an API process. */
export interface AskedBack {
  readonly metrics: { readonly question: null; readonly answer: MetricsSnapshot };
}

/** What an API process tells. */
export type Told =
  | { readonly kind: 'listening'; readonly url: string }
  /** It can't start: one line for the operator. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A request of the installation waits no more. */
  | { readonly kind: 'waited'; readonly installationId: string }
  | { readonly kind: 'token'; readonly news: TokenNews };

/** What the primary process tells. */
export type ToldBack = { readonly kind: 'stop' } | { readonly kind: 'token'; readonly news: TokenNews };

export type PrimaryLine = Line<AskedBack, Asked, ToldBack, Told>;
export type ApiLine = Line<Asked, AskedBack, Told, ToldBack>;
