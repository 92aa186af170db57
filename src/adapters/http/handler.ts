import type { Readable } from 'node:stream';

import type { Application } from '../../application/index.ts';
import type { RateLimitBucket, RateLimitPolicy } from '../../domain/identity/rate-limit.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { EnforcedScope } from '../../domain/identity/scope.ts';
import type { Reading } from '../../domain/reading.ts';
import type { MediaStorage } from '../../domain/ports/media-storage.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { Refusal, RefusalCode } from '../../domain/result.ts';
import type { Success } from './answer.ts';
import type { LiveReaders } from './live/live-readers.ts';
import type { Readiness } from './pages/readiness.ts';
import type { OwnApi } from './trial/own-api.ts';
import type { RequestNotes } from './serving/context.ts';

/**
 * Who may call: an app with the scope, or any app where that is null, a client with its credentials in the body, the admin with
 * its token, or anyone.
 */
export type Access = { kind: 'app'; scope: EnforcedScope | null } | { kind: 'client' } | { kind: 'admin' } | { kind: 'public' };

/** What the routes that are not use cases answer from. */
export interface Resources {
  readonly readiness: Readiness;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly mediaStorage: MediaStorage;
  readonly live: Pick<LiveReaders, 'open'>;
  /** Null on a node without an app listener. */
  readonly ownApi: OwnApi | null;
}

/** What a handler may use of its request beside the input. */
export interface HandlerContext {
  readonly notes: RequestNotes;
  readonly resources: Resources;
  /** What is known before the document of the request is read. */
  readonly reading: Reading;
  /**
   * Counts the request in this bucket and sets the rate limit headers. A refusal where the limit is
   * exceeded.
   */
  limit(bucket: RateLimitBucket, key: string): Promise<Refusal<'rate_limited'> | null>;
  /**
   * Sets the headers of a limit on requests at once that is exceeded. The window is the longest
   * that one of them takes.
   */
  exceeded(bucket: 'feed-waits', policy: RateLimitPolicy): void;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  /** The caller with its present scopes. Null when its token is not valid any more. */
  renewCaller(): Promise<Caller | null>;
  /** Logs the progress of a long request, on a line with its id. */
  progress(figures: object, message: string): void;
}

/**
 * What a handler gets. `caller` is set on app routes; `domain`, the store's, on client routes; `tx`
 * on idempotent ones: the transaction that remembers the response.
 */
export interface Input<A extends Access, P, Q, B, X> {
  readonly caller: A extends { kind: 'app' } ? Caller : null;
  readonly domain: A extends { kind: 'client' } ? string : null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tx: X;
  readonly context: HandlerContext;
}

export interface StreamBody {
  readonly contentType: string;
  /** The parameter of Content-Type, as it was sent. */
  readonly charset: string | undefined;
  readonly stream: Readable;
}

export type Handler<A extends Access, P, Q, B, X, T, C extends RefusalCode> = (
  application: Application,
  input: Input<A, P, Q, B, X>,
) => Promise<Success<T> | Refusal<C>>;

/** What a handler of any route answered. */
export type Outcome = Success<unknown> | Refusal;

/**
 * The handler of a route whose types are no longer known. Its input is what the schemas of the
 * route made.
 */
export type AnyHandler = (
  application: Application,
  input: {
    readonly caller: Caller | null;
    readonly domain: string | null;
    readonly params: unknown;
    readonly query: unknown;
    readonly body: unknown;
    readonly tx: TransactionPorts | null;
    readonly context: HandlerContext;
  },
) => Promise<Outcome>;
