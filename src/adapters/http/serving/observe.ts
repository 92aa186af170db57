import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

import { redactCredentials } from '../../../domain/identity/redact.ts';
import type { RefusedRequest } from '../../../domain/insight/refused-request.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { RequestNotes } from './context.ts';
import { refusedRequest } from './refused-request.ts';

export interface Observers {
  readonly log: Logger;
  readonly ids: Pick<Ids, 'next'>;
  /** Called after every response, for the metrics. `route` is null where no route matched. */
  readonly onRequest: (route: string | null, method: string, status: number, seconds: number) => void;
  /** Called for every refusal of an app route, for the request log. */
  readonly onRefused?: (refusal: RefusedRequest) => void;
}

/** The first step of every request: an id for the response, and one structured line in the log. */
export const observe = ({ log, ids, onRequest, onRefused }: Observers): RequestHandler => {
  // The line holds only what is named here, and no secret. To search each line for secrets costs more than the rest of it.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    // An id with its time: a search finds the events of a request by it (domain/insight/found.ts).
    const notes: RequestNotes = { requestId: ids.next() };
    response.locals.notes = notes;
    response.setHeader('X-Request-Id', notes.requestId);
    response.once('close', () => {
      const durationMs = Math.round((performance.now() - started) * 100) / 100;
      const aborted = !response.writableFinished && { aborted: true };
      const { method } = request;
      const status = response.statusCode;
      onRequest(notes.route ?? null, method, status, durationMs / 1000);
      const refused = onRefused && refusedRequest(request, response, durationMs);
      if (refused) onRefused(refused);
      // A client may put a credential into a path, where it does not belong.
      const path = redactCredentials(request.path);
      lines.info({ ...notes, method, path, status, durationMs, ...aborted }, 'request');
    });
    next();
  };
};
