import type { Request, Response } from 'express';
import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { RateLimitBucket } from '../../../domain/identity/rate-limit.ts';
import type { RateLimiter } from '../../../domain/ports/rate-limiter.ts';
import type { Refusal } from '../../../domain/result.ts';
import type { HandlerContext, Resources } from '../handler.ts';
import type { Route } from '../route-declaration.ts';
import type { Admit } from './admit.ts';
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

declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
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
}

/** One request on its way through admit, read, parse, handle, encode and send. */
export class RequestContext implements HandlerContext {
  readonly application: Application;
  readonly notes: RequestNotes;

  constructor(
    readonly route: Route,
    readonly backend: Backend,
    readonly request: Request,
    readonly response: Response,
  ) {
    this.notes = response.locals.notes;
    this.application = route.method === 'get' ? backend.application : backend.applicationFor(this.notes.requestId);
  }

  get resources(): Resources {
    return this.backend.resources;
  }

  async limit(bucket: RateLimitBucket, key: string): Promise<Refusal<'rate_limited'> | null> {
    const decision = await this.backend.limiter.consume(bucket, key);
    setRateLimitHeaders(this.response, bucket, decision);
    return decision.allowed ? null : TOO_MANY_REQUESTS;
  }

  progress(figures: object, message: string): void {
    this.backend.log.info({ ...this.notes, ...figures }, message);
  }
}
