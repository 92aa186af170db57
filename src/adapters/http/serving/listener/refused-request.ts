import type { Request, Response } from 'express';

import type { Redact } from '../../../../domain/identity/redact.ts';
import { MAX_HOST, type RefusedRequest } from '../../../../domain/insight/refused-request.ts';

/** A client may put a credential into any header. */
const hostOf = (request: Request, redact: Redact): string =>
  redact((request.headers.host ?? '').slice(0, MAX_HOST)).slice(0, MAX_HOST);

/** The refusal of an answered request, for the request log; null where there is none. */
export const refusedRequestOf = (
  request: Request,
  response: Response,
  durationMs: number,
  redact: Redact,
): RefusedRequest | null => {
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
