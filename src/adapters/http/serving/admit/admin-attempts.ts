import type { Request, Response } from 'express';

import type { RateLimitDecision } from '../../../../domain/identity/rate-limit.ts';
import type { FailureLimit } from './failure-limit.ts';
import { clientAddress, type TrustsProxy } from '../listener/host.ts';
import { addressKey, setRateLimitHeaders } from '../reply/rate-limit.ts';
import { TOO_MANY_BAD_ADMIN_TOKENS } from '../reply/refusals.ts';

export type TooMany = typeof TOO_MANY_BAD_ADMIN_TOKENS;

export interface AdminAttempts {
  /** The refusal of an address that sent too many; null for another. */
  refusal(request: Request, response: Response): TooMany | null;
  /** Counts wrong credentials. The refusal where they were one too many. */
  failed(request: Request, response: Response): Promise<TooMany | null>;
}

const refused = (response: Response, decision: RateLimitDecision | null): TooMany | null => {
  if (decision === null || decision.allowed) return null;
  setRateLimitHeaders(response, 'admin-address', decision);
  return TOO_MANY_BAD_ADMIN_TOKENS;
};

export const createAdminAttempts = (failures: FailureLimit, trusts: TrustsProxy): AdminAttempts => {
  const keyOf = (request: Request): string => addressKey(clientAddress(request, trusts));
  return {
    refusal: (request, response) => refused(response, failures.refusal(keyOf(request))),
    failed: async (request, response) => refused(response, await failures.failed(keyOf(request))),
  };
};
