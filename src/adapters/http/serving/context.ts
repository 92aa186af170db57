import type { Request, Response } from 'express';
import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { Check } from '../../../domain/insight/refused-request.ts';
import type { KeyUse } from '../../../domain/idempotency/key-use.ts';
import type { KeyScope } from '../../../domain/ports/idempotency-repository.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { RateLimitBucket, RateLimitPolicy } from '../../../domain/identity/rate-limit.ts';
import type { Reading } from '../../../domain/reading.ts';
import type { RateLimiter } from '../../../domain/ports/rate-limiter.ts';
import type { Refusal } from '../../../domain/result.ts';
import type { HandlerContext, Resources } from '../handler.ts';
import type { Route } from '../route-declaration.ts';
import type { Admit } from './admit.ts';
import { matches } from './if-none-match.ts';
import { setRateLimitHeaders } from './rate-limit.ts';
import { TOO_MANY_REQUESTS } from './refusals.ts';

/** What the log line of a request holds beside its status and duration. Never a secret. */
export interface RequestNotes {
  requestId: string;
  store?: string;
  installation?: string;
  /** Why it was answered 401, 403 or 429. The caller does not learn it. */
  reason?: string;
  /** The declared route with its method; absent where no route matched. */
  route?: string;
}

/** A refusal of an app route, for the request log. */
export interface NotedRefusal {
  readonly code: string | null;
  readonly check: Check;
  readonly reason?: string;
}

declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
    /** The domain of the store that the request is for, once it is known. */
    domain?: string;
    refusal?: NotedRefusal;
    /** Where the request was when it failed. Absent outside the routes of apps. */
    rung?: Check;
  }
}

/** The application whose writes keep the id of this request. */
export type ApplicationFor = (requestId: string) => Application;

/** What the requests of one listener are served with. */
export interface Backend {
  readonly application: Application;
  readonly applicationFor: ApplicationFor;
  readonly log: Logger;
  readonly admit: Admit;
  readonly limiter: RateLimiter;
  readonly resources: Resources;
  /** The largest JSON body in bytes, of the bulk route and of the others. */
  readonly maxBodyBytes: { readonly bulk: number; readonly other: number };
  /** BULK_MAX_PRODUCTS. */
  readonly maxBulkProducts: number;
  /**
   * Seconds for which the receiver of a file may read nothing before it is disconnected; 30 by
   * default.
   */
  readonly stallSeconds?: number;
  /** Called when an idempotency key is used again, for the life of the key. */
  readonly onKeyUse?: (scope: KeyScope, use: KeyUse) => void;
}

/** One request on its way through admit, read, parse, handle, encode and send. */
export class RequestContext implements HandlerContext {
  readonly notes: RequestNotes;
  /** Where the request is on its way. What is thrown there is logged with it. */
  rung: Check = 'token';
  /** Of what the request reads, where it was looked up with the token. */
  version: Reading['version'];
  /** Set when an app is admitted. */
  authenticateAgain = (): Promise<Caller | null> => Promise.resolve(null);
  #application: Application | undefined;

  constructor(
    readonly route: Route,
    readonly backend: Backend,
    readonly request: Request,
    readonly response: Response,
  ) {
    this.notes = response.locals.notes;
  }

  /** One of the request's own where it may write. A replay needs none, so it is made where it is asked for. */
  get application(): Application {
    const { route, backend, notes } = this;
    this.#application ??= route.method === 'get' ? backend.application : backend.applicationFor(notes.requestId);
    return this.#application;
  }

  get reading(): Reading {
    const { route, request, version } = this;
    const header = route.etag ? request.headers['if-none-match'] : undefined;
    return header === undefined ? { version } : { version, has: (tag) => matches(header, `"${tag}"`) };
  }

  get resources(): Resources {
    return this.backend.resources;
  }

  /** Whether refusals of the route belong in the request log: those of apps and clients do. */
  get isLogged(): boolean {
    const { kind } = this.route.access;
    return kind === 'app' || kind === 'client';
  }

  /** Notes the refusal for the request log. The last one counts. */
  refused(refusal: NotedRefusal): void {
    if (this.isLogged) this.response.locals.refusal = refusal;
  }

  async limit(bucket: RateLimitBucket, key: string): Promise<Refusal<'rate_limited'> | null> {
    const decision = await this.backend.limiter.consume(bucket, key);
    setRateLimitHeaders(this.response, bucket, decision);
    return decision.allowed ? null : TOO_MANY_REQUESTS;
  }

  exceeded(bucket: 'feed-waits', policy: RateLimitPolicy): void {
    const decision = { ...policy, allowed: false, remaining: 0, resetSeconds: policy.windowSeconds };
    setRateLimitHeaders(this.response, bucket, decision);
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
