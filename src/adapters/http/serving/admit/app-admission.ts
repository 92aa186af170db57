import type { Request } from 'express';

import type { Application } from '../../../../application/index.ts';
import type { Authenticated } from '../../../../application/identity/authenticate.ts';
import type { LookAhead } from '../../../../domain/ports/identity/admission.ts';
import { parseCredential } from '../../../../domain/identity/token.ts';
import { bearerToken, reject, unauthenticated, type StoreRules } from './admit.ts';
import type { RequestContext } from '../context.ts';
import type { FailedTokens, TokenLookup } from './failed-tokens.ts';
import { clientAddress } from '../listener/host.ts';
import { addressKey, setRateLimitHeaders } from '../reply/rate-limit.ts';
import { TOO_MANY_BAD_TOKENS } from '../reply/refusals.ts';

export interface AppCredential {
  readonly kind: 'accessToken' | 'session';
  /** Null where the request does not show one. */
  readonly read: (request: Request) => string | null;
  readonly authenticate: (credential: string, domain: string, lookAhead: LookAhead | null) => Promise<Authenticated>;
}

/** A bearer token (docs/specification/credentials.md, "Calls"). */
export const bearerCredential = (application: Pick<Application, 'authenticate'>): AppCredential => ({
  kind: 'accessToken',
  read: bearerToken,
  authenticate: application.authenticate,
});

export interface AppAdmission extends StoreRules {
  readonly credential: AppCredential;
  readonly failures: FailedTokens;
}

type RefusedLookup = Extract<TokenLookup, { ok: false }>;

/** A token with a wrong checksum costs no lookup and is always answered 401. */
export const rejectToken = (context: RequestContext, { kind }: AppCredential, token: string, refused: RefusedLookup): null => {
  if (refused.reason !== 'rate_limited') return unauthenticated(context, refused.reason);
  if (!parseCredential(kind, token)) return unauthenticated(context, 'malformed');
  setRateLimitHeaders(context.response, 'failed-tokens', refused.limit);
  return reject(context, TOO_MANY_BAD_TOKENS, 'failed_tokens');
};

/** Counts a caller with credentials by the address first. */
export const limitedByAddress = ({ trusts }: AppAdmission, context: RequestContext) => {
  context.response.setHeader('Cache-Control', 'no-store');
  context.sender = addressKey(clientAddress(context.request, trusts));
  return context.limit('token-address', context.sender);
};
