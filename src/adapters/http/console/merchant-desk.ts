import { z } from 'zod';

import type { Application } from '../../../application/index.ts';
import type { LiveReaders } from '../live/live-readers.ts';
import { MAX_AGENT } from '../../../domain/identity/console-session.ts';
import { clientAddress, type TrustsProxy } from '../serving/listener/host.ts';
import type { AdminAttempts } from '../serving/admit/admin-attempts.ts';
import type { Desk } from './session.ts';

const proof = z.union([z.object({ token: z.string() }), z.object({ code: z.string() })], {
  error: 'must have a token or a code, as text',
});

/**
 * The merchant signs in with the admin token or the token of an operator, or with a login code. Wrong ones count like wrong
 * admin tokens of the API, and an address that sent too many is refused here as well.
 */
export const merchantDesk = (
  application: Pick<Application, 'signIn' | 'signOut' | 'useSession'>,
  attempts: AdminAttempts,
  live: Pick<LiveReaders, 'endSession'>,
  trusts: TrustsProxy,
): Desk => ({
  proof,
  signIn: async (request, response, given) => {
    const { notes } = response.locals;
    const refusal = attempts.refusal(request, response);
    if (refusal) return refusal;
    const signedIn = await application.signIn(given as z.output<typeof proof>, {
      address: clientAddress(request, trusts),
      agent: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
    });
    if (signedIn.ok) return signedIn;
    notes.reason = 'wrong_sign_in';
    return (await attempts.failed(request, response)) ?? signedIn;
  },
  describe: async (_request, session) => ({ ok: session !== null && (await application.useSession(session)) !== null }),
  signOut: async (_request, session) => {
    await application.signOut(session);
    live.endSession(session);
  },
});
