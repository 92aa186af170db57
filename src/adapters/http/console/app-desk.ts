import type { Request, Response } from 'express';
import { z } from 'zod';

import type { Application } from '../../../application/index.ts';
import type { CountHolder } from '../../../application/identity/check-client.ts';
import type { AuditRefused } from '../../../application/insight/gather-audit-refusals.ts';
import type { Developer } from '../../../application/identity/developer-sessions.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { parseCredential, type TokenRejection } from '../../../domain/identity/token.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import { refuse } from '../../../domain/result.ts';
import type { RequestLimits } from '../handler.ts';
import type { FailedTokens } from '../serving/admit/failed-tokens.ts';
import { judgeClient } from '../serving/admit/judge-client.ts';
import { clientAddress, storeDomain, type TrustsProxy } from '../serving/listener/host.ts';
import { addressKey, limiting } from '../serving/reply/rate-limit.ts';
import type { ErrorCode } from '../serving/reply/refusals.ts';
import { recordRefusedSignIn, recordSignIn } from './record-sign-in.ts';
import { readProof, type Desk } from './session.ts';

const codeProof = z.object({ code: z.string() }, { error: 'must have a code, as text' });
const proof = z.union([z.object({ clientId: z.string(), clientSecret: z.string() }), codeProof], {
  error: 'must have a clientId and a clientSecret, or a code, as text',
});

type Proof = z.output<typeof proof>;

export interface AppDeskOptions {
  readonly application: Pick<
    Application,
    | 'auditChange'
    | 'authenticateSession'
    | 'describeCaller'
    | 'lookAtAppCode'
    | 'signInApp'
    | 'signOutApp'
    | 'useDeveloperSession'
  >;
  readonly limiter: RateLimiter;
  readonly failures: FailedTokens;
  readonly trusts: TrustsProxy;
  /** Never waits. */
  readonly onAuditRefused: (refused: AuditRefused) => void;
}

type Looked =
  | { readonly ok: true; readonly developer: Developer | null; readonly caller: Caller | null }
  | { readonly ok: false; readonly reason: TokenRejection };

/** All reasons share a sentence, so that nobody learns which client ids exist. */
const REFUSED = refuse(
  'unauthenticated',
  'The client id or the client secret is wrong, the link has expired or was used before, the app is suspended, or it is not installed on this store.',
);

/** A code is spent by its use, so its holder needs no count. */
const USED_ONCE: CountHolder = () => Promise.resolve(null);

/** The words of the audit log. */
const WAYS = {
  Secret: 'Sign in to the app console with the client secret',
  Link: 'Sign in to the app console with a link',
} as const;

/**
 * A developer signs in with the client credentials of an app, or with a link that the merchant or an operator made: to all installations of a
 * platform app, on any host; or to one installation, on the domain of its store. The limits are those of the token route.
 */
export const appDesk = (options: AppDeskOptions): Desk => {
  const { application, limiter, failures, trusts } = options;
  const addressOf = (request: Request): string => addressKey(clientAddress(request, trusts));
  /** Returns the store whose pages the path names, if it names one. */
  const placedOf = (request: Request): string | undefined => request.res?.locals.placed;
  const domainOf = (request: Request): string | null => {
    const host = storeDomain(request, trusts);
    return placedOf(request) ?? (host.kind === 'domain' ? host.domain : null);
  };
  const limitsOf = (request: Request, response: Response): RequestLimits => ({
    sender: addressOf(request),
    limit: limiting(limiter, response),
  });
  /** The developer of a platform app has a caller in the pages of one store alone. */
  const look = async (request: Request, session: string): Promise<Looked> => {
    const developer = await application.useDeveloperSession(session);
    if (developer !== null && placedOf(request) === undefined) return { ok: true, developer, caller: null };
    const domain = domainOf(request);
    if (domain === null) return { ok: false, reason: 'unknown_token' };
    const found = await application.authenticateSession(session, domain);
    return found.ok ? { ok: true, developer, caller: found.caller } : found;
  };
  /** A merchant's app signs in to its store, and its session is not an operator's matter. */
  const record = async (request: Request, response: Response, session: string): Promise<void> => {
    const developer = await application.useDeveloperSession(session);
    if (developer === null) return;
    const { app, openedBy } = developer;
    response.locals.notes.developer = openedBy;
    const operator = `Developer of ${app.name}`;
    await recordSignIn(options, request, response, {
      operatorId: null,
      operator,
      what: WAYS[openedBy],
      body: { clientId: app.clientId },
    });
  };
  /** The store of its host, and a client id, help to find whose it is. A text that is not a client id may be a secret. */
  const recordRefused = (request: Request, response: Response, given: Proof, code: ErrorCode): void => {
    const clientId = 'clientId' in given && parseCredential('clientId', given.clientId) ? given.clientId : null;
    recordRefusedSignIn(options, request, response, {
      what: 'clientId' in given ? WAYS.Secret : WAYS.Link,
      body: clientId === null ? null : { clientId },
      code,
      reason: 'wrong_sign_in',
      domain: domainOf(request),
    });
  };
  /** A look counts as a try does, and leaves the code as it is. */
  const lookAtCode = async (request: Request, response: Response) => {
    const given = await readProof(request, codeProof);
    if (!given.ok) return given;
    const limits = limitsOf(request, response);
    const byAddress = await limits.limit('token-address', limits.sender);
    if (byAddress) return byAddress;
    const looked = await application.lookAtAppCode(given.value.code, domainOf(request));
    if (looked.ok) return looked;
    recordRefused(request, response, given.value, REFUSED.code);
    response.locals.notes.reason = looked.reason;
    return REFUSED;
  };
  return {
    proof,
    begin: { code: lookAtCode },
    signIn: async (request, response, body) => {
      const given = body as Proof;
      const limits = limitsOf(request, response);
      const byAddress = await limits.limit('token-address', limits.sender);
      if (byAddress) return byAddress;
      const judge = (count: CountHolder) => application.signInApp(given, domainOf(request), count);
      const signedIn = await ('clientId' in given ? judgeClient(limits, given.clientId, judge) : judge(USED_ONCE));
      if (signedIn.ok) {
        await record(request, response, signedIn.value);
        return signedIn;
      }
      recordRefused(request, response, given, signedIn.code);
      if ('reason' in signedIn) response.locals.notes.reason = signedIn.reason;
      return signedIn.code === 'unauthenticated' ? REFUSED : signedIn;
    },
    describe: async (request, session) => {
      if (session === null) return { ok: false };
      const found = await failures.lookUp(
        session,
        () => addressOf(request),
        () => look(request, session),
      );
      if (!found.ok) return { ok: false };
      const { developer, caller } = found;
      const own = developer && { platformApp: { id: developer.app.id, name: developer.app.name } };
      const described = caller && (await application.describeCaller(caller));
      return described?.ok === false ? { ok: false } : { ok: true, ...described?.value, ...own };
    },
    signOut: (request, session) => application.signOutApp(session, domainOf(request)),
  };
};
