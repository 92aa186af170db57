import type { RateLimitDecision } from '../../../domain/identity/rate-limit.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { Channel } from './channel.ts';
import type { TokenNews } from '../../http/serving/admit/failed-tokens.ts';
import type { SharedWork } from '../../http/work-share.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';

/** An installation or a store has a limited number of these places at once. `id` is the id of the holder. */
export type SharedPlace = readonly [of: 'wait' | SharedWork, id: string];

export interface ApiQuestions {
  readonly count: { readonly question: Parameters<RateLimiter['consume']>; readonly answer: RateLimitDecision };
  readonly place: { readonly question: SharedPlace; readonly answer: boolean };
}

export interface PrimaryQuestions {
  readonly metrics: { readonly question: null; readonly answer: MetricsSnapshot };
  readonly ready: { readonly question: null; readonly answer: boolean };
}

export type ApiNews =
  | { readonly kind: 'listening'; readonly url: string }
  /** The process can't start: a line for the operator. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A request of the installation needs its place no more. */
  | { readonly kind: 'left'; readonly place: SharedPlace }
  | { readonly kind: 'token'; readonly news: TokenNews };

export type PrimaryNews =
  { readonly kind: 'drain' } | { readonly kind: 'stop' } | { readonly kind: 'token'; readonly news: TokenNews };

export type PrimaryChannel = Channel<PrimaryQuestions, ApiQuestions, PrimaryNews, ApiNews>;
export type ApiChannel = Channel<ApiQuestions, PrimaryQuestions, ApiNews, PrimaryNews>;
