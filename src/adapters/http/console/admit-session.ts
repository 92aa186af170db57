import type { Application } from '../../../application/index.ts';
import { NO_CALLER, reject } from '../serving/admit/admit.ts';
import type { Admit } from '../serving/context.ts';
import { NO_SESSION } from '../serving/reply/refusals.ts';
import type { SessionCookie } from './cookie.ts';

export const admitSession =
  (cookie: SessionCookie, { useSession, checkSession }: Pick<Application, 'useSession' | 'checkSession'>): Admit =>
  async (context) => {
    const session = cookie.read(context.request);
    if (session === null) return reject(context, NO_SESSION, 'no_session');
    if (!(await useSession(session))) return reject(context, NO_SESSION, 'ended_session');
    context.session = { id: session, isValid: () => checkSession(session) };
    return NO_CALLER;
  };
