import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

import type { ProviderSession } from '../../../application/identity/sign-in-with-method.ts';
import type { SessionOrigin } from '../../../domain/identity/console-session.ts';
import { NO_ATTEMPT } from '../../../domain/identity/sign-in-method.ts';
import type { ProviderSignIn } from '../../../domain/ports/identity/identity-provider.ts';
import { ok, refuse, type Result } from '../../../domain/result.ts';
import { CONSOLE_PATHS } from './files/index-page.ts';
import type { MerchantDeskOptions } from './merchant-desk-options.ts';

const NO_PROVIDER = refuse('conflict', 'This server has no identity provider. Set OIDC_ISSUER, or sign in another way.');

/** The page to which the provider sends a person back, below the origin of the console. */
const RETURN_PATH = `${CONSOLE_PATHS.merchant}/sign-in`;

/** Values that are sent out, each from the secret of the attempt: none of them reveals another. */
const signInOf = (secret: string, origin: string): ProviderSignIn => {
  const derived = (name: string): string => createHash('sha256').update(`${secret}|${name}`).digest('base64url');
  return {
    redirectUrl: `${origin}${RETURN_PATH}`,
    state: derived('state'),
    nonce: derived('nonce'),
    verifier: derived('verifier'),
  };
};

type Options = Pick<MerchantDeskOptions, 'application' | 'attemptCookie' | 'originOf' | 'provider'>;

/** Signing in at the identity provider: the page goes there, and sends what it comes back with. */
export const providerWay = ({ application, attemptCookie, originOf, provider }: Options) => {
  const unavailable = (name: string) =>
    refuse('unavailable', `${name} does not answer, or does not know this server. Try again later, or sign in another way.`);
  return {
    begin: async (request: Request, response: Response) => {
      const origin = originOf(request);
      if (provider === null || origin === null) return NO_PROVIDER;
      const { sealed, secret } = application.beginAttempt('provider_sign_in');
      const url = await provider.signInUrl(signInOf(secret, origin));
      if (url === null) return unavailable(provider.name);
      attemptCookie.set(request, response, sealed);
      return ok({ url });
    },
    /** `query` is what the provider added to the address of the page. */
    signIn: async (
      request: Request,
      query: string,
      from: SessionOrigin,
    ): Promise<Result<ProviderSession, 'unauthenticated' | 'unavailable' | 'conflict'>> => {
      const origin = originOf(request);
      if (provider === null || origin === null) return NO_PROVIDER;
      const attempt = application.openAttempt('provider_sign_in', attemptCookie.read(request) ?? '');
      if (attempt === null) return NO_ATTEMPT;
      const account = await provider.accountOf(query, signInOf(attempt.secret, origin));
      if (account === 'unavailable') return unavailable(provider.name);
      if (account === 'declined') return refuse('unauthenticated', `You did not sign in at ${provider.name}.`);
      if (account === 'invalid') {
        return refuse('unauthenticated', `The answer of ${provider.name} does not belong to this sign-in. Begin again.`);
      }
      return application.signInWithProvider(attempt, account, from);
    },
  };
};
