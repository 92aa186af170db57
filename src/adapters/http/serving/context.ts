import type { Request, Response } from 'express';
import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { RefusedBecause } from '../../../domain/insight/audit-refusal.ts';
import type { Check } from '../../../domain/insight/refused-request.ts';
import type { KeyUse } from '../../../domain/idempotency/key-use.ts';
import type { AppKeyScope, KeyScope, KnownKey } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import type { Actor } from '../../../domain/identity/operator.ts';
import type { AdmittedCaller, Caller } from '../../../domain/identity/caller.ts';
import type { PlatformApp } from '../../../domain/identity/platform-app.ts';
import type { RateLimitPolicy } from '../../../domain/identity/rate-limit.ts';
import type { RefusalCode, Result } from '../../../domain/result.ts';
import type { Precondition, Reading } from '../../../domain/reading.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { HandlerContext, LimitAtOnce, RequestLimits, Outcome, RequestNotes, Resources } from '../handler.ts';
import type { StreamSession } from '../live/live-sessions.ts';
import { Renewal } from '../renewal.ts';
import type { Route } from '../route-declaration.ts';
import { matches, preconditionOf } from './reply/entity-tags.ts';
import { limiting, setRateLimitHeaders } from './reply/rate-limit.ts';
import type { ErrorCode, NotedRefusal } from './reply/refusals.ts';
import type { Exchange, Reply } from './reply/error-reply.ts';

export interface Admitted {
  /** The installation that calls; null on routes that are not for apps. */
  readonly caller: AdmittedCaller | null;
  /** Caller of an admin route; null on every other. */
  readonly actor: Actor | null;
  /** The domain that the request is for; null on routes of the admin and of anyone. */
  readonly domain: string | null;
  /** Platform app whose developer calls; null on routes that are not for developers. */
  readonly platformApp: PlatformApp | null;
  readonly key: IdempotencyKey | null;
}

export interface IdempotencyKey {
  readonly scope: KeyScope;
  readonly known: KnownKey | null;
}

export interface AccessRefusal {
  readonly code: ErrorCode;
  readonly reason: RefusedBecause;
}

/** Admits a request, or answers it and gives null. */
export type Admit = (context: RequestContext) => Promise<Admitted | null>;

/** Records the changes that are asked for, and those that are refused (audit.ts). */
export interface Audit {
  /** The actor is null where the token is wrong. Reads are not recorded. Never waits. */
  refused(context: RequestContext, actor: Actor | null, refusal: AccessRefusal): void;
  around<T extends Outcome | Reply>(
    context: RequestContext,
    actor: Actor,
    given: { readonly params: unknown; readonly body: unknown },
    run: () => Promise<T>,
  ): Promise<T>;
}

/** The input of the request, which is judged once. */
export type ReadInput = () => Result<{ readonly query: unknown }, RefusalCode>;

/** Keeps a sandbox store within its budget (sandbox-budget.ts). */
export interface Budget {
  around(context: RequestContext, admitted: Admitted, input: ReadInput, run: () => Promise<Reply>): Promise<Reply>;
}

export interface Backend {
  readonly application: Application;
  readonly log: Logger;
  readonly admit: Admit;
  readonly limiter: RateLimiter;
  readonly resources: Resources;
  readonly budget: Budget;
  /** Set on the admin listener and its console. */
  readonly audit?: Audit;
  /** The origin of the console's pages for this request. Of the admin listener and its console. */
  readonly consoleOrigin?: (request: Request) => string | null;
  /** The largest JSON body in bytes, of the bulk route and of the others. */
  readonly maxBodyBytes: { readonly bulk: number; readonly other: number };
  readonly maxBulkProducts: number;
  /**
   * Seconds for which the receiver of a file may read nothing before it is disconnected; 30 by
   * default.
   */
  readonly stallSeconds?: number;
  /** For the keys of apps. */
  readonly onKeyUse?: (scope: AppKeyScope, use: KeyUse) => void;
}

export class RequestContext implements HandlerContext, Exchange {
  readonly notes: RequestNotes;
  /** Latest check on the request's way. An error that is thrown there is logged with it. */
  check: Check = 'token';
  /** Version of the read resource, where it was looked up with the token. */
  version: Reading['version'];
  session: StreamSession | null = null;
  sessionId: string | null = null;
  sender = '';
  readonly limit: RequestLimits['limit'];
  operatorTokenId: string | null = null;
  /** Routes for anyone have no access that could end. */
  renewal = new Renewal(() => Promise.resolve(null));
  authenticateAgain = (): Promise<Caller | null> => Promise.resolve(null);

  constructor(
    readonly route: Route,
    readonly backend: Backend,
    readonly request: Request,
    readonly response: Response,
  ) {
    this.notes = response.locals.notes;
    this.limit = limiting(backend.limiter, response);
  }

  get application(): Application {
    return this.backend.application;
  }

  get reading(): Reading {
    const { route, request, version } = this;
    const header = route.etag ? request.headers['if-none-match'] : undefined;
    return header === undefined ? { version } : { version, has: (tag) => matches(header, `"${tag}"`) };
  }

  get condition(): Precondition | null {
    return preconditionOf(this.request.headers);
  }

  get isHead(): boolean {
    return this.request.method === 'HEAD';
  }

  get consoleOrigin(): string | null {
    return this.backend.consoleOrigin?.(this.request) ?? null;
  }

  get resources(): Resources {
    return this.backend.resources;
  }

  /** True for refusals that belong in the request log: those of apps and clients do. */
  get isLogged(): boolean {
    const { kind } = this.route.access;
    return kind === 'app' || kind === 'client' || kind === 'visitor';
  }

  refused(refusal: NotedRefusal): void {
    if (this.isLogged) this.response.locals.refusal = refusal;
  }

  exceeded(limit: LimitAtOnce, policy: RateLimitPolicy): void {
    const decision = { ...policy, allowed: false, remaining: 0, resetSeconds: policy.windowSeconds };
    setRateLimitHeaders(this.response, limit, decision);
  }

  mayTake(seconds: number): void {
    this.response.locals.open.waitMs = seconds * 1000;
  }

  get left(): AbortSignal {
    const leaving = new AbortController();
    const { response } = this;
    if (response.closed) leaving.abort();
    else response.once('close', () => leaving.abort());
    return leaving.signal;
  }

  renewCaller(): Promise<Caller | null> {
    return this.authenticateAgain();
  }

  progress(figures: object, message: string): void {
    this.backend.log.info({ ...this.notes, ...figures }, message);
  }
}
