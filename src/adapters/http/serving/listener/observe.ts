import type { Response, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';

import type { Call } from '../../../../application/insight/count-calls.ts';
import { type Redact, redactCredentials } from '../../../../domain/identity/redact.ts';
import { MAX_HOST, type RefusedRequest } from '../../../../domain/insight/refused-request.ts';
import type { Ids } from '../../../../domain/ports/ids.ts';
import { traceparentOf, type Traceparent } from '../../../../domain/trace.ts';
import type { RequestNotes } from '../../handler.ts';
import type { InFlight } from './in-flight.ts';

/** The call of an app that this response ends, for its figures; null where none of an app does. */
const answeredCall = (response: Response, durationMs: number): Call | null => {
  const { caller, open } = response.locals;
  if (caller === undefined) return null;
  return {
    storeId: caller.storeId,
    installationId: caller.installationId,
    at: Date.now() - durationMs,
    status: response.writableFinished ? response.statusCode : null,
    durationMs: open.waitMs > 0 ? null : durationMs,
  };
};

/** A client may put a credential into any header. */
const hostOf = (request: Request, redact: Redact): string =>
  redact((request.headers.host ?? '').slice(0, MAX_HOST)).slice(0, MAX_HOST);

/** The refusal of an answered request, for the request log; null where there is none. */
const refusedRequestOf = (request: Request, response: Response, durationMs: number, redact: Redact): RefusedRequest | null => {
  const { refusal, notes, domain } = response.locals;
  if (refusal === undefined) return null;
  return {
    id: notes.requestId,
    at: Math.floor(Date.now() - durationMs),
    route: notes.route ?? '',
    status: response.statusCode,
    code: refusal.code,
    reason: notes.reason ?? refusal.reason ?? refusal.code ?? '',
    check: refusal.check,
    storeId: notes.store ?? null,
    host: domain ?? hostOf(request, redact),
    installationId: notes.installation ?? null,
    durationMs,
  };
};

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

interface RequestSpan {
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
