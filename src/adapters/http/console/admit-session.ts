import { NO_CALLER, reject } from '../serving/admit.ts';
import type { Admit } from '../serving/admit.ts';
import { NO_SESSION } from '../serving/refusals.ts';
import type { SessionCookie } from './cookie.ts';

/** Admin routes below the console: a session is what lets in, and nothing else. */
export const admitSession =
  (cookie: SessionCookie, isValid: (session: string) => Promise<boolean>): Admit =>
  async (context) => {
    const session = cookie.read(context.request);
    if (session === null) return reject(context, NO_SESSION, 'no_session');
    return (await isValid(session)) ? NO_CALLER : reject(context, NO_SESSION, 'ended_session');
  };
