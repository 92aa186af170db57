import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

import type { Call } from '../../../../application/insight/count-calls.ts';
import { redactCredentials, type Redact } from '../../../../domain/identity/redact.ts';
import type { RefusedRequest } from '../../../../domain/insight/refused-request.ts';
import type { Ids } from '../../../../domain/ports/ids.ts';
import { traceparentOf, type Traceparent } from '../../../../domain/trace.ts';
import type { RequestNotes } from '../../handler.ts';
import { answeredCall } from './answered-call.ts';
import type { InFlight } from './in-flight.ts';
import { refusedRequestOf } from './refused-request.ts';

export interface Observers {
  readonly log: Logger;
  readonly ids: Pick<Ids, 'next'>;
  readonly inFlight: InFlight;
  /** Cuts credentials out of what a client sends and the log keeps; by default those that Tenon made. */
  readonly redact?: Redact;
  /** Called after every response, for the metrics. `route` is null where no route matched. */
  readonly onRequest: (route: string | null, method: string, status: number, seconds: number) => void;
  readonly onRefused?: (refusal: RefusedRequest) => void;
  /** Called after every call of an app, refused or not. */
  readonly onCall?: (call: Call) => void;
  readonly beginSpan?: RequestSpans;
}

/** Begins the span of a request. The client brought `caller`. */
export type RequestSpans = (method: string, caller: Traceparent | undefined) => RequestSpan;

export interface RequestSpan {
  readonly traceparent: Traceparent;
  end(notes: RequestNotes, status: number): void;
}

export const observe = ({
  log,
  ids,
  inFlight,
  onRequest,
  onRefused,
  onCall,
  beginSpan,
  redact = redactCredentials,
}: Observers): RequestHandler => {
  // The line holds only what is named here, and no secret. To search each line for secrets costs more than the rest of it.
  const lines = log.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    // An id with its time: a search finds the events of a request by it (domain/insight/found.ts).
    const notes: RequestNotes = { requestId: ids.next() };
    response.locals.notes = notes;
    const brought = traceparentOf(request.headers['traceparent']);
    const span = beginSpan?.(request.method, brought);
    const traceparent = span?.traceparent ?? brought;
    if (traceparent !== undefined) notes.traceparent = traceparent;
    const open = inFlight.begin(response, started);
    response.locals.open = open;
    response.setHeader('X-Request-Id', notes.requestId);
    response.once('close', () => {
      open.endPart();
      const durationMs = Math.round((performance.now() - started) * 100) / 100;
      const aborted = !response.writableFinished && { aborted: true };
      const { method } = request;
      const status = response.statusCode;
      span?.end(notes, status);
      onRequest(notes.route ?? null, method, status, durationMs / 1000);
      const refused = onRefused && refusedRequestOf(request, response, durationMs, redact);
      if (refused) onRefused(refused);
      const call = onCall && answeredCall(response, durationMs);
      if (call) onCall(call);
      // A client may put a credential into a path, where it does not belong.
      const path = redact(request.path);
      lines.info({ ...notes, method, path, status, durationMs, ...aborted }, 'request');
    });
    next();
  };
};
