import type { ErrorRequestHandler, Request } from 'express';
import type { Logger } from 'pino';

import { Unavailable } from '../../../../domain/unavailable.ts';
import type { ErrorShape } from '../../route-declaration.ts';
import { AccessEnded } from '../../renewal.ts';
import { BAD_PATH, INTERNAL_ERROR, UNAVAILABLE } from './refusals.ts';
import { sendError } from './send-error.ts';

/** The client closed the connection before its body had arrived, so nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Answers what was thrown: an outage or a bug. It is logged once with its cause, which the response
 * never shows.
 */
export const answerThrown =
  (log: Logger, shapeOf: (request: Request) => ErrorShape): ErrorRequestHandler =>
  (error: unknown, request, response, next): void => {
    if (error instanceof ClientGone || error instanceof AccessEnded) {
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
    const refusal = error instanceof Unavailable ? UNAVAILABLE : INTERNAL_ERROR;
    const { check } = response.locals;
    if (check !== undefined) response.locals.refusal = { code: refusal.code, check };
    sendError(request, response, shape, refusal);
  };
