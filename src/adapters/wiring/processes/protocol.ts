import type { RateLimitDecision } from '../../../domain/identity/rate-limit.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { Line } from './line.ts';
import type { TokenNews } from '../../http/serving/admit/failed-tokens.ts';
import type { SharedWork } from '../../http/work-share.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';

/** An installation or a store has a limited number of these places at once. `id` is the id of the holder. */
export type SharedPlace = readonly [of: 'wait' | SharedWork, id: string];

export interface Asked {
  readonly count: { readonly question: Parameters<RateLimiter['consume']>; readonly answer: RateLimitDecision };
  readonly place: { readonly question: SharedPlace; readonly answer: boolean };
}

export interface AskedBack {
  readonly metrics: { readonly question: null; readonly answer: MetricsSnapshot };
  readonly ready: { readonly question: null; readonly answer: boolean };
}

export type Told =
  | { readonly kind: 'listening'; readonly url: string }
  /** The process can't start: a line for the operator. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A request of the installation needs its place no more. */
  | { readonly kind: 'left'; readonly place: SharedPlace }
  | { readonly kind: 'token'; readonly news: TokenNews };

export type ToldBack =
  { readonly kind: 'drain' } | { readonly kind: 'stop' } | { readonly kind: 'token'; readonly news: TokenNews };

export type PrimaryLine = Line<AskedBack, Asked, ToldBack, Told>;
export type ApiLine = Line<Asked, AskedBack, Told, ToldBack>;
