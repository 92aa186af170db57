import type { ErrorRequestHandler, Request } from 'express';
import type { Logger } from 'pino';

import { StorageUnavailable } from '../../../domain/ports/media-storage.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import type { ErrorShape } from '../route-declaration.ts';
import { ClientGone } from './body.ts';
import { BAD_PATH, INTERNAL_ERROR, UNAVAILABLE } from './refusals.ts';
import { sendError } from './send-error.ts';

/** What adapters throw when another try may succeed. */
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown || error instanceof StorageUnavailable;

/**
 * Answers what was thrown: an outage or a bug. It is logged once with its cause, which the response
 * never shows.
 */
export const answerThrown =
  (log: Logger, shapeOf: (request: Request) => ErrorShape): ErrorRequestHandler =>
  (error: unknown, request, response, next): void => {
    if (error instanceof ClientGone) {
      request.destroy();
      return;
    }
    const shape = shapeOf(request);
    if (error instanceof URIError) {
      sendError(request, response, shape, BAD_PATH);
      return;
    }
    log.error({ err: error, requestId: response.locals.notes.requestId }, 'request failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    const refusal = isOutage(error) ? UNAVAILABLE : INTERNAL_ERROR;
    const { rung } = response.locals;
    if (rung !== undefined) response.locals.refusal = { code: refusal.code, check: rung };
    sendError(request, response, shape, refusal);
  };
