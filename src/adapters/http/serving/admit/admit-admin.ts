import type { AdminAttempts } from './admin-attempts.ts';
import { bearerToken, NO_CALLER, reject } from './admit.ts';
import type { Admit } from '../context.ts';
import { NO_ADMIN_TOKEN } from '../reply/refusals.ts';

interface AdminAdmission {
  /** Compares in constant time. */
  readonly isAdminToken: (token: string) => boolean;
  readonly attempts: AdminAttempts;
}

const TOO_MANY = 'too_many_wrong_admin_tokens';

/**
 * Admin routes. An address that sent too many wrong tokens is refused until its minute is over,
 * even with the right token: to admit it would confirm a guess. From any other address the right
 * token is admitted. A request without a token is not a guess.
 */
export const admitAdmin =
  ({ isAdminToken, attempts }: AdminAdmission): Admit =>
  async (context) => {
    const { route, request, response } = context;
    if (route.access.kind !== 'admin') return NO_CALLER;
    const token = bearerToken(request);
    if (token === null) return reject(context, NO_ADMIN_TOKEN, 'no_token');
    const refusal = attempts.refusal(request, response);
    if (refusal) return reject(context, refusal, TOO_MANY);
    if (isAdminToken(token)) return NO_CALLER;
    const tooMany = await attempts.failed(request, response);
    return tooMany ? reject(context, tooMany, TOO_MANY) : reject(context, NO_ADMIN_TOKEN, 'wrong_admin_token');
  };
