import type { Application } from '../../../../application/index.ts';
import { OWNER } from '../../../../domain/identity/operator.ts';
import type { AdminAttempts } from './admin-attempts.ts';
import { bearerToken, NO_CALLER, reject } from './admit.ts';
import type { Admit } from '../context.ts';
import { NO_ADMIN_TOKEN } from '../reply/refusals.ts';
import { permit, streamSession } from './permit.ts';

interface AdminAdmission {
  /** Compares in constant time. */
  readonly isAdminToken: (token: string) => boolean;
  readonly attempts: AdminAttempts;
  readonly application: Pick<Application, 'authenticateOperator' | 'storeOf'>;
}

const TOO_MANY = 'too_many_wrong_admin_tokens';

/**
 * Admin routes. An address that sent too many wrong tokens is refused until its minute is over,
 * even with the right token: to admit it would confirm a guess. From any other address the right
 * token is admitted: that of the owner without a look-up, and that of an operator by one. A request
 * without a token is not a guess.
 */
export const admitAdmin =
  ({ isAdminToken, attempts, application }: AdminAdmission): Admit =>
  async (context) => {
    const { route, request, response } = context;
    if (route.access.kind !== 'admin') return NO_CALLER;
    const { authenticateOperator, storeOf } = application;
    const token = bearerToken(request);
    if (token === null) return reject(context, NO_ADMIN_TOKEN, 'no_token');
    const refusal = attempts.refusal(request, response);
    if (refusal) return reject(context, refusal, TOO_MANY);
    if (isAdminToken(token)) return permit(context, OWNER, storeOf);
    const actor = await authenticateOperator(token);
    if (actor) {
      context.session = streamSession(context, token, () => authenticateOperator(token));
      return permit(context, actor, storeOf);
    }
    const tooMany = await attempts.failed(request, response);
    return tooMany ? reject(context, tooMany, TOO_MANY) : reject(context, NO_ADMIN_TOKEN, 'wrong_admin_token');
  };
