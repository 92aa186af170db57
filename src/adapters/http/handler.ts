import type { Application } from '../../application/index.ts';
import type { Cause } from '../../domain/cause.ts';
import type { KeyOf, RateLimitBucket, RateLimitPolicy } from '../../domain/identity/rate-limit.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Actor, Role } from '../../domain/identity/operator.ts';
import type { OpenedBy, PlatformApp } from '../../domain/identity/platform-app.ts';
import type { EnforcedScope } from '../../domain/identity/scope.ts';
import type { Precondition, Reading } from '../../domain/reading.ts';
import type { MediaStorage } from '../../domain/ports/media/media-storage.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { Refusal, RefusalCode } from '../../domain/result.ts';
import type { Traceparent } from '../../domain/trace.ts';
import type { Redirect, Success } from './answer.ts';
import type { WorkShare } from './work-share.ts';
import type { LiveReaders } from './live/live-readers.ts';
import type { StreamSession } from './live/live-sessions.ts';
import type { Readiness } from './pages/readiness.ts';
import type { Renewal } from './renewal.ts';
import type { StoreAccess, StoreRule } from './store-rule.ts';
import type { OwnApi } from './trial/own-api.ts';

/**
 * Callers of a route: an app with one of the scopes, or any app where there are none, a client with
 * its credentials in the body, the developer of a platform app, an operator with the role, a person
 * whose browser followed a link to a store, or anyone.
 */
export type Access =
  | { kind: 'app'; scopes: readonly EnforcedScope[] }
  | { kind: 'client' }
  | { kind: 'developer' }
  | { kind: 'admin'; needs: Role; stores: StoreAccess | null; rule: StoreRule }
  | { kind: 'visitor' }
  | { kind: 'public' };

/** Fields of a request's log line beside its status and duration. Never a secret. */
export interface RequestNotes {
  requestId: string;
  /** Trace of its own span, or of the caller where this node makes no spans. Absent without a trace. */
  traceparent?: Traceparent;
  store?: string;
  installation?: string;
  /**
   * Credential that opened the session of the calling developer of a platform app. Absent for every
   * other caller.
   */
  developer?: OpenedBy;
  /** Caller of the admin API. Absent for the holder of the admin token. */
  operator?: string;
  /** Reason for a 401, 403 or 429, or for a cut. The caller does not learn it. */
  reason?: string;
  /** The declared route with its method; absent where no route matched. */
  route?: string;
}

export interface Resources {
  readonly readiness: Readiness;
  /** Returns the reason why this process must stop, in one sentence; null while it may work. */
  readonly fault?: () => string | null;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly mediaStorage: MediaStorage;
  readonly live: Pick<LiveReaders, 'open' | 'endSession' | 'judge'>;
  readonly workShare: WorkShare;
  /** Null on a node without an app listener. */
  readonly ownApi: OwnApi | null;
  /** Aborted when the process begins to stop: a long request ends then, and says how far it came. */
  readonly stopping: AbortSignal;
}

/** The names of limits on requests at once. Each node counts by itself. */
export type LimitAtOnce = 'feed-waits' | 'exports' | 'dry-runs' | 'name-lookups' | 'sandbox-changes';

/** Counts what a request spends, and says in the headers of its answer what remains. */
export interface RequestLimits {
  /** The key under which the address of the sender is counted. Empty on routes that do not count it. */
  readonly sender: string;
  readonly limit: <B extends RateLimitBucket>(bucket: B, key: KeyOf<B>) => Promise<Refusal<'rate_limited'> | null>;
}

export interface HandlerContext extends RequestLimits {
  readonly notes: RequestNotes;
  readonly resources: Resources;
  readonly reading: Reading;
  /** The condition of If-Match and If-None-Match. Null without these headers. */
  readonly condition: Precondition | null;
  /**
   * Sets the headers of a limit on requests at once that is exceeded. After its window,
   * another request may have a place.
   */
  exceeded(limit: LimitAtOnce, policy: RateLimitPolicy): void;
  /** A HEAD, which is answered like the GET but may change nothing. */
  readonly isHead: boolean;
  /** The request waits for this long on purpose. Only what it takes beyond that counts as its age. */
  mayTake(seconds: number): void;
  /**
   * Owner of a stream of the request, which ends with it: the session of a console, or the token of
   * an operator; null for the admin token.
   */
  readonly session: StreamSession | null;
  /** Session of the merchant's console; null without one. */
  readonly sessionId: string | null;
  /** The token by which an operator calls; null for every other caller. */
  readonly operatorTokenId: string | null;
  /** Origin of the merchant's console for this request; null on other listeners. */
  readonly consoleOrigin: string | null;
  readonly left: AbortSignal;
  /** The caller with its present scopes. Null when its token is not valid any more. */
  renewCaller(): Promise<Caller | null>;
  /** Judges whether the caller of a long request may continue. */
  readonly renewal: Renewal;
  progress(figures: object, message: string): void;
}

/**
 * Input of a handler. `caller` is set on app routes; `actor` on admin routes; `domain`, the
 * store's, on client and visitor routes; `platformApp` on those of its developer; `tx` on
 * idempotent ones: the transaction that remembers the response. `cause` is this request.
 */
export interface Input<A extends Access, P, Q, B, X> {
  readonly caller: A extends { kind: 'app' } ? Caller : null;
  readonly actor: A extends { kind: 'admin' } ? Actor : null;
  readonly domain: A extends { kind: 'client' | 'visitor' } ? string : null;
  readonly platformApp: A extends { kind: 'developer' } ? PlatformApp : null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tx: X;
  readonly cause: Cause;
  readonly context: HandlerContext;
}

export type Handler<A extends Access, P, Q, B, X, T, C extends RefusalCode> = (
  application: Application,
  input: Input<A, P, Q, B, X>,
) => Promise<Success<A extends { kind: 'visitor' } ? T | Redirect : T> | Refusal<C>>;

export type Outcome = Success<unknown> | Refusal;

/**
 * The handler of a route whose types are no longer known. Its input is what the schemas of the
 * route made.
 */
export type AnyHandler = (
  application: Application,
  input: {
    readonly caller: Caller | null;
    readonly actor: Actor | null;
    readonly domain: string | null;
    readonly platformApp: PlatformApp | null;
    readonly params: unknown;
    readonly query: unknown;
    readonly body: unknown;
    readonly tx: TransactionPorts | null;
    readonly cause: Cause;
    readonly context: HandlerContext;
  },
) => Promise<Outcome>;
