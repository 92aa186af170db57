import { randomUUID } from 'node:crypto';
import type { IRouter, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { TransactionPorts } from '../../../domain/ports/index.ts';
import { StorageUnavailable } from '../../../domain/ports/media-storage.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { redactCredentials } from '../../../domain/identity/redact.ts';
import { unauthenticated } from './gate.ts';
import type { Gate, Passage } from './gate.ts';
import { answerIdempotently } from './idempotent.ts';
import { readInput } from './input.ts';
import { otherMethods } from './methods.ts';
import { ClientGone } from './body.ts';
import { sendError, sendValue } from './respond.ts';
import type { RequestNotes } from './respond.ts';
import type { Route } from '../route.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
  }
}

export interface MountOptions {
  readonly app: Application;
  readonly log: Logger;
  /** Told of every answer, for the metrics. `route` is null where none matched. */
  readonly onRequest: (route: string | null, method: string, status: number, seconds: number) => void;
  /** Who may pass, in the order of checks of decisions.md: store, token, rate limit, scope. */
  readonly gate: Gate;
  /** Bytes at most of a JSON body on the bulk route and on the others. */
  readonly maxBodyBytes: { readonly bulk: number; readonly other: number };
  /** BULK_MAX_PRODUCTS. */
  readonly maxBulkProducts: number;
}

/** First of all: an id for every response, and one structured line in the log for every request. */
export const observe = ({ log, onRequest }: Pick<MountOptions, 'log' | 'onRequest'>): RequestHandler => {
  // It holds what is named here and no secret; to look for those in each line costs more than the rest of it.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    const started = performance.now();
    const notes: RequestNotes = { requestId: randomUUID() };
    res.locals.notes = notes;
    res.setHeader('X-Request-Id', notes.requestId);
    res.once('close', () => {
      const durationMs = Math.round((performance.now() - started) * 100) / 100;
      const aborted = !res.writableFinished && { aborted: true };
      onRequest(notes.route ?? null, req.method, res.statusCode, durationMs / 1000);
      // A client may put a credential into a path, where it does not belong.
      const path = redactCredentials(req.path);
      lines.info({ ...notes, method: req.method, path, status: res.statusCode, durationMs, ...aborted }, 'request');
    });
    next();
  };
};

const serve = async (route: Route, options: MountOptions, req: Request, res: Response): Promise<void> => {
  const { app } = options;
  const passage: Passage | null = await options.gate(route, req, res);
  if (passage === null) return;
  const input = await readInput(route, req, options);
  if ('code' in input) {
    sendError(req, res, route.errors, input.code, input.message);
    return;
  }
  const progress = (figures: object, message: string): void => {
    options.log.info({ ...res.locals.notes, ...figures }, message);
  };
  const run = async (tx: TransactionPorts | null) => {
    const parsed = input.parse();
    if ('code' in parsed) return { ok: false as const, ...parsed };
    return route.handler(app, { caller: passage.caller, ...parsed, tx, progress });
  };
  if (passage.idempotency !== null) {
    await answerIdempotently(route, app, req, res, passage.idempotency, input.bytes, run);
    return;
  }
  const result = await run(null);
  if (result.ok) await sendValue(route, req, res, result.value);
  // Uninstalled since the gate let it pass.
  else if (result.code === 'unauthenticated' && passage.caller !== null) unauthenticated(res, 'uninstalled_meanwhile');
  else sendError(req, res, route.errors, result.code, result.message, result.errors);
};

/** What adapters throw when another try may succeed. */
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown || error instanceof StorageUnavailable;

/** Answers what was thrown: an outage or a bug, logged once with its cause, never echoed. */
export const answerThrown =
  (log: Logger, shape: (req: Request) => Route['errors']) =>
  (error: unknown, req: Request, res: Response, next: NextFunction): void => {
    if (error instanceof ClientGone) {
      req.destroy();
      return;
    }
    if (error instanceof URIError) {
      sendError(req, res, shape(req), 'invalid', 'the path is not a valid URI');
      return;
    }
    log.error({ err: error, requestId: res.locals.notes.requestId }, 'request failed');
    if (res.headersSent) {
      next(error);
      return;
    }
    if (isOutage(error)) {
      sendError(req, res, shape(req), 'unavailable', 'the service cannot answer now; try again');
    } else sendError(req, res, shape(req), 'internal_error', 'an internal error occurred');
  };

/**
 * Mounts the routes, each path once: what it does not have is refused there, and a literal path is never taken for a parameter of a later
 * one. A path that none matches falls through.
 */
export const mount = (router: IRouter, routes: readonly Route[], options: MountOptions): void => {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const mounted = router.route(path);
    for (const route of own) {
      mounted[route.method]((req, res, next) => {
        res.locals.notes.route = `${route.method.toUpperCase()} ${path}`;
        serve(route, options, req, res).catch(next);
      });
    }
    const methods = own.map((route) => route.method.toUpperCase());
    mounted.all(otherMethods(methods, own[0]?.errors ?? 'plain'));
  }
};
