import type { Request, Response } from 'express';

import type { RateLimitDecision } from '../../../domain/identity/rate-limit.ts';
import type { FailureLimit } from './failure-limit.ts';
import { bearerToken, NO_CALLER } from './gate.ts';
import type { Gate } from './gate.ts';
import { clientAddress } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { addressKey, setRateLimitHeaders } from './rate-limit.ts';
import { TOO_MANY_FAILURES } from './refusals.ts';
import { sendError } from './respond.ts';
import type { ErrorShape } from '../route.ts';

export interface AdminGateOptions {
  /** Compares in constant time. */
  readonly isAdminToken: (token: string) => boolean;
  readonly failures: FailureLimit;
  readonly trusts: TrustsProxy;
}

const tooManyFailures = (req: Request, res: Response, shape: ErrorShape, decision: RateLimitDecision): null => {
  res.locals.notes.reason = 'too_many_wrong_admin_tokens';
  setRateLimitHeaders(res, 'admin-address', decision);
  sendError(req, res, shape, 'rate_limited', TOO_MANY_FAILURES);
  return null;
};

/**
 * Admin routes. An address that sent too many wrong tokens is refused until its minute is over, whatever it sends: a right token that
 * were let in would tell a guesser so. From any other address a right token gets in. A request without a token is no guess.
 */
export const adminGate =
  ({ isAdminToken, failures, trusts }: AdminGateOptions): Gate =>
  async (route, req, res) => {
    if (route.access.kind !== 'admin') return NO_CALLER;
    const token = bearerToken(req);
    if (token !== null) {
      const address = addressKey(clientAddress(req, trusts));
      const refusal = failures.refusal(address);
      if (refusal) return tooManyFailures(req, res, route.errors, refusal);
      if (isAdminToken(token)) return NO_CALLER;
      const decision = await failures.failed(address);
      if (!decision.allowed) return tooManyFailures(req, res, route.errors, decision);
    }
    res.locals.notes.reason = token === null ? 'no_token' : 'wrong_admin_token';
    res.setHeader('WWW-Authenticate', 'Bearer');
    sendError(req, res, route.errors, 'unauthenticated', 'the admin token is missing or wrong');
    return null;
  };
