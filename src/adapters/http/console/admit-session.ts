import type { Application } from '../../../application/index.ts';
import { reject } from '../serving/admit/admit.ts';
import { permit, streamSession } from '../serving/admit/permit.ts';
import type { Admit } from '../serving/context.ts';
import { NO_SESSION } from '../serving/reply/refusals.ts';
import type { SessionCookie } from './cookie.ts';

export const admitSession =
  (
    cookie: SessionCookie,
    { useSession, lookAtSession, storeOf }: Pick<Application, 'useSession' | 'lookAtSession' | 'storeOf'>,
  ): Admit =>
  async (context) => {
    const session = cookie.read(context.request);
    if (session === null) return reject(context, NO_SESSION, 'no_session');
    const used = await useSession(session);
    if (used === null) return reject(context, NO_SESSION, 'ended_session');
    context.sessionId = used.id;
    context.session = streamSession(context, session, async () => (await lookAtSession(session))?.actor ?? null);
    return permit(context, used.actor, storeOf);
  };
