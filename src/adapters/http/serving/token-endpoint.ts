import { Router } from 'express';
import type { Request, Response } from 'express';

import type { Application } from '../../../application/index.ts';
import type { RateLimiter } from '../../../domain/ports/rate-limiter.ts';
import type { RateLimitBucket } from '../../../domain/identity/rate-limit.ts';
import { parseCredential } from '../../../domain/identity/token.ts';
import { refuse } from '../../../domain/result.ts';
import { readBytes } from './body.ts';
import { endBeforeBody } from './drain.ts';
import { NO_BODY } from './error-reply.ts';
import type { FailedTokens } from './failed-tokens.ts';
import { clientAddress, storeDomain } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { otherMethods } from './methods.ts';
import { addressKey, clientKey, setRateLimitHeaders } from './rate-limit.ts';
import { ONE_HOST } from './refusals.ts';
import { sendError } from './send-error.ts';
import { tokenRoute } from '../routes/app/token.ts';
import { readTokenRequest } from './token-request.ts';

/** A form with two credentials is far smaller. */
const MAX_FORM_BYTES = 16_384;

const TOO_MANY_TOKEN_REQUESTS = refuse(
  'rate_limited',
  'Too many token requests. Retry after the number of seconds in Retry-After.',
);

/** POST /apps/token: its own order of checks, since a form is read and every failure is an empty 401. */
export const tokenEndpoint = (app: Application, limiter: RateLimiter, failures: FailedTokens, trusts: TrustsProxy): Router => {
  const refuse = (res: Response, reason: string): void => {
    res.locals.notes.reason = reason;
    res.status(401).end();
  };
  const limited = async (req: Request, res: Response, bucket: RateLimitBucket, key: string): Promise<boolean> => {
    const decision = await limiter.consume(bucket, key);
    setRateLimitHeaders(res, bucket, decision);
    if (!decision.allowed) sendError(req, res, 'plain', TOO_MANY_TOKEN_REQUESTS);
    return !decision.allowed;
  };
  const exchange = async (req: Request, res: Response): Promise<void> => {
    res.locals.notes.route = `POST ${tokenRoute.path}`;
    res.setHeader('Cache-Control', 'no-store');
    if (await limited(req, res, 'token-address', addressKey(clientAddress(req, trusts)))) return;
    const host = storeDomain(req, trusts);
    if (host.kind === 'repeated') {
      sendError(req, res, 'plain', ONE_HOST);
      return;
    }
    const form = await readBytes(req, MAX_FORM_BYTES);
    if (!form.ok) {
      res.locals.notes.reason = 'malformed';
      await endBeforeBody(req, res.status(401), NO_BODY);
      return;
    }
    const credentials = readTokenRequest(req.headersDistinct, form.value);
    if (credentials === null || host.kind === 'unknown') {
      refuse(res, credentials === null ? 'malformed' : 'unknown_store');
      return;
    }
    // What is not a client id is never counted: whoever makes one up chooses its text and its length.
    if (!parseCredential('clientId', credentials.clientId)) {
      refuse(res, 'malformed');
      return;
    }
    if (await limited(req, res, 'token-client', clientKey(credentials.clientId))) return;
    const result = await app.exchangeToken({ ...credentials, domain: host.domain });
    if (!result.ok) {
      refuse(res, result.reason);
      return;
    }
    failures.issued(result.value.accessToken);
    res.json(result.value);
  };
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(tokenRoute.path)
    .post(exchange)
    .all(otherMethods(['POST'], tokenRoute.errors));
  return router;
};
