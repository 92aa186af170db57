import type { Request, Response } from 'express';
import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { HandlerContext } from '../handler.ts';
import type { Route } from '../route.ts';
import type { Admit } from './admit.ts';

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

/** What the requests of one listener are served with. */
export interface Backend {
  readonly application: Application;
  readonly log: Logger;
  readonly admit: Admit;
  /** The largest JSON body in bytes, of the bulk route and of the others. */
  readonly maxBodyBytes: { readonly bulk: number; readonly other: number };
  /** BULK_MAX_PRODUCTS. */
  readonly maxBulkProducts: number;
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
    this.application = backend.application;
    this.notes = response.locals.notes;
  }

  progress(figures: object, message: string): void {
    this.backend.log.info({ ...this.notes, ...figures }, message);
  }
}
