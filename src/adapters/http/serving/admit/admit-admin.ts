import type { Application } from '../../../../application/index.ts';
import { OWNER } from '../../../../domain/identity/operator.ts';
import type { AdminAttempts, TooMany } from './admin-attempts.ts';
import { bearerToken, NO_CALLER, reject } from './admit.ts';
import type { Admit } from '../context.ts';
import { NO_ADMIN_TOKEN } from '../reply/refusals.ts';
import { permit } from './permit.ts';

interface AdminAdmission {
  /** Compares in constant time. */
  readonly isAdminToken: (token: string) => boolean;
  readonly attempts: AdminAttempts;
  readonly application: Pick<Application, 'authenticateOperator' | 'getStore' | 'storeOf'>;
}

/** The admin token does not change while the server runs. */
const THE_OWNER = { actor: OWNER, again: () => Promise.resolve(OWNER), session: null };

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
    const token = bearerToken(request);
    if (token === null) return reject(context, NO_ADMIN_TOKEN, 'no_token');
    const refuse = (error: TooMany | typeof NO_ADMIN_TOKEN, reason: typeof TOO_MANY | 'wrong_admin_token'): null => {
      context.backend.audit?.refused(context, null, { code: error.code, reason });
      return reject(context, error, reason);
    };
    const refusal = attempts.refusal(request, response);
    if (refusal) return refuse(refusal, TOO_MANY);
    if (isAdminToken(token)) return permit(context, THE_OWNER, application);
    const used = await application.authenticateOperator(token);
    const again = async () => (await application.authenticateOperator(token))?.actor ?? null;
    if (used) {
      const { actor } = used;
      context.operatorTokenId = used.id;
      return permit(context, { actor, again, session: { id: token, look: again } }, application);
    }
    const tooMany = await attempts.failed(request, response);
    return tooMany ? refuse(tooMany, TOO_MANY) : refuse(NO_ADMIN_TOKEN, 'wrong_admin_token');
  };
