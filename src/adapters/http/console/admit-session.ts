import type { Application } from '../../../application/index.ts';
import { reject } from '../serving/admit/admit.ts';
import { permit } from '../serving/admit/permit.ts';
import type { Admit } from '../serving/context.ts';
import { NO_SESSION } from '../serving/reply/refusals.ts';
import type { SessionCookie } from './cookie.ts';

export const admitSession =
  (cookie: SessionCookie, application: Pick<Application, 'getStore' | 'useSession' | 'lookAtSession' | 'storeOf'>): Admit =>
  async (context) => {
    const session = cookie.read(context.request);
    if (session === null) return reject(context, NO_SESSION, 'no_session');
    const used = await application.useSession(session);
    if (used === null) return reject(context, NO_SESSION, 'ended_session');
    context.sessionId = used.id;
    const again = async () => (await application.useSession(session))?.actor ?? null;
    const look = async () => (await application.lookAtSession(session))?.actor ?? null;
    return permit(context, { actor: used.actor, again, session: { id: session, look } }, application);
  };
