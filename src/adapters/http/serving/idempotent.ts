import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

import type { Application } from '../../../application/index.ts';
import type { TransactionPorts } from '../../../domain/ports/index.ts';
import type { IdempotencyKey } from './gate.ts';
import { errorBody, STATUS_OF } from './refusals.ts';
import { encode, sendError, sendStored } from './respond.ts';
import type { Route } from '../route.ts';

type Run = (tx: TransactionPorts) => ReturnType<Route['handler']>;

/** SHA-256 over method, path and raw body bytes, in hex. Lengths need no marks: a method holds no space and a path no line break. */
const fingerprintOf = (method: string, path: string, body: Uint8Array): string =>
  createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex');

const respond = async (route: Route, req: Request, run: Run, tx: TransactionPorts) => {
  const result = await run(tx);
  if (result.ok) return encode(route, result.value);
  const { contentType, body } = errorBody(route.errors, result.code, result.message, req.path, result.errors);
  return { status: STATUS_OF[result.code], headers: { 'Content-Type': contentType }, body: Buffer.from(body) };
};

/** Runs the handler at most once for the key and answers what app-api.md's key life cycle says. */
export const answerIdempotently = async (
  route: Route,
  app: Application,
  req: Request,
  res: Response,
  { scope, known }: IdempotencyKey,
  bytes: Uint8Array,
  run: Run,
): Promise<void> => {
  const fingerprint = fingerprintOf(req.method, req.baseUrl + req.path, bytes);
  const outcome = await app.runIdempotently(scope, fingerprint, (tx) => respond(route, req, run, tx), known);
  switch (outcome.kind) {
    case 'executed':
      sendStored(res, outcome.response);
      return;
    case 'replay':
      res.setHeader('Idempotent-Replay', 'true');
      sendStored(res, { ...outcome.response, body: outcome.response.body ?? new Uint8Array() });
      return;
    case 'wait':
      sendError(req, res, route.errors, 'idempotency_in_progress', 'a request with this Idempotency-Key is still running');
      return;
    case 'mismatch':
      sendError(req, res, route.errors, 'idempotency_key_reused', 'this Idempotency-Key was used with a different request');
      return;
    case 'unreplayable':
      sendError(
        req,
        res,
        route.errors,
        'idempotency_not_replayable',
        'the work was done; its response was too large to keep and cannot be replayed: do not retry',
      );
  }
};
