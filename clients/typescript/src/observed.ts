import type { Reply } from './call.ts';

/** A request that is about to be sent. */
export interface RequestInfo {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** Result of a request. */
export interface ResponseInfo extends RequestInfo {
  /** Null without a response. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The requests that are left, and the seconds until the quota is full again. Null where no limit counts. */
  readonly rateLimit: { readonly remaining: number; readonly reset: number } | null;
  /** Milliseconds that the attempt took. */
  readonly duration: number;
}

/** A request that is sent again. */
export interface RetryInfo extends ResponseInfo {
  /** Milliseconds before the next attempt. */
  readonly wait: number;
}

/** Functions that see each attempt, for a log or for metrics. What they throw ends the call. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((request: RequestInfo) => void) | undefined;
  /** Called after each attempt, with or without a response. */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: ((retry: RetryInfo) => void) | undefined;
}

const rateLimitOf = (headers: Headers): ResponseInfo['rateLimit'] => {
  const [, remaining, reset] = /;r=(\d+);t=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? [];
  return remaining === undefined ? null : { remaining: Number(remaining), reset: Number(reset) };
};

/** The server logs the request under this id. */
export const requestIdOf = (headers: Headers): string | null => headers.get('X-Request-Id');

/** A response for the hooks. `duration` is in milliseconds. */
export const responseInfo = (request: RequestInfo, { status, headers }: Reply, duration: number): ResponseInfo => ({
  ...request,
  status,
  requestId: requestIdOf(headers),
  rateLimit: rateLimitOf(headers),
  duration,
});
