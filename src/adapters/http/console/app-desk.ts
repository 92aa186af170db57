import type { Request, Response } from 'express';
import { z } from 'zod';

import type { Application } from '../../../application/index.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { RateLimitBucket } from '../../../domain/identity/rate-limit.ts';
import { parseCredential } from '../../../domain/identity/token.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import { refuse } from '../../../domain/result.ts';
import type { FailedTokens } from '../serving/admit/failed-tokens.ts';
import { clientAddress, storeDomain, type TrustsProxy } from '../serving/listener/host.ts';
import { addressKey, clientKey, setRateLimitHeaders } from '../serving/reply/rate-limit.ts';
import { TOO_MANY_REQUESTS } from '../serving/reply/refusals.ts';
import type { Desk } from './session.ts';

const proof = z.union([z.object({ clientId: z.string(), clientSecret: z.string() }), z.object({ code: z.string() })], {
  error: 'must have a clientId and a clientSecret, or a code, as text',
});

export interface AppDeskOptions {
  readonly application: Pick<Application, 'authenticateSession' | 'describeCaller' | 'signInApp' | 'signOutApp'>;
  readonly limiter: RateLimiter;
  readonly failures: FailedTokens;
  readonly trusts: TrustsProxy;
}

/** One sentence for every reason, so that nobody learns which client ids exist. */
const REFUSED = refuse(
  'unauthenticated',
  'The client id or the client secret is wrong, the link has expired or was used before, or the app is not installed on this store.',
);

/**
 * A developer signs in with the client credentials of an app, or with a link that the merchant made,
 * on the domain of the store. The limits are those of the token route.
 */
export const appDesk = ({ application, limiter, failures, trusts }: AppDeskOptions): Desk => {
  const addressOf = (request: Request): string => addressKey(clientAddress(request, trusts));
  const domainOf = (request: Request): string | null => {
    const host = storeDomain(request, trusts);
    return host.kind === 'domain' ? host.domain : null;
  };
  const isWithin = async (response: Response, bucket: RateLimitBucket, key: string): Promise<boolean> => {
    const decision = await limiter.consume(bucket, key);
    setRateLimitHeaders(response, bucket, decision);
    return decision.allowed;
  };
  const callerOf = async (request: Request, session: string): Promise<Caller | null> => {
    const domain = domainOf(request);
    if (domain === null) return null;
    const authenticate = () => application.authenticateSession(session, domain);
    const found = await failures.lookUp(session, () => addressOf(request), authenticate);
    return found.ok ? found.caller : null;
  };
  return {
    proof,
    signIn: async (request, response, body) => {
      const given = body as z.output<typeof proof>;
      const domain = domainOf(request);
      if (domain === null) return REFUSED;
      if (!(await isWithin(response, 'token-address', addressOf(request)))) return TOO_MANY_REQUESTS;
      const isClient = 'clientId' in given && parseCredential('clientId', given.clientId);
      if (isClient && !(await isWithin(response, 'token-client', clientKey(given.clientId)))) return TOO_MANY_REQUESTS;
      const signedIn = await application.signInApp(given, domain);
      if (signedIn.ok) return signedIn;
      response.locals.notes.reason = signedIn.reason;
      return REFUSED;
    },
    describe: async (request, session) => {
      const caller = session === null ? null : await callerOf(request, session);
      const described = caller && (await application.describeCaller(caller));
      return described?.ok ? { ok: true, ...described.value } : { ok: false };
    },
    signOut: async (request, session) => {
      const domain = domainOf(request);
      if (domain !== null) await application.signOutApp(session, domain);
    },
  };
};
