import type { RateLimitDecision } from '../../../domain/identity/rate-limit.ts';
import { bearerToken, NO_CALLER, reject } from './admit.ts';
import type { Admit } from './admit.ts';
import type { RequestContext } from './context.ts';
import type { FailureLimit } from './failure-limit.ts';
import { clientAddress } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { addressKey, setRateLimitHeaders } from './rate-limit.ts';
import { NO_ADMIN_TOKEN, TOO_MANY_BAD_ADMIN_TOKENS } from './refusals.ts';

interface AdminAdmission {
  /** Compares in constant time. */
  readonly isAdminToken: (token: string) => boolean;
  readonly failures: FailureLimit;
  readonly trusts: TrustsProxy;
}

const tooManyFailures = (context: RequestContext, decision: RateLimitDecision): null => {
  setRateLimitHeaders(context.response, 'admin-address', decision);
  return reject(context, TOO_MANY_BAD_ADMIN_TOKENS, 'too_many_wrong_admin_tokens');
};

/**
 * Admin routes. An address that sent too many wrong tokens is refused until its minute is over,
 * even with the right token: to admit it would confirm a guess. From any other address the right
 * token is admitted. A request without a token is not a guess.
 */
export const admitAdmin =
  ({ isAdminToken, failures, trusts }: AdminAdmission): Admit =>
  async (context) => {
    if (context.route.access.kind !== 'admin') return NO_CALLER;
    const token = bearerToken(context.request);
    if (token === null) return reject(context, NO_ADMIN_TOKEN, 'no_token');
    const address = addressKey(clientAddress(context.request, trusts));
    const refusal = failures.refusal(address);
    if (refusal) return tooManyFailures(context, refusal);
    if (isAdminToken(token)) return NO_CALLER;
    const decision = await failures.failed(address);
    if (!decision.allowed) return tooManyFailures(context, decision);
    return reject(context, NO_ADMIN_TOKEN, 'wrong_admin_token');
  };
