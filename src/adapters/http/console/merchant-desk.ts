import type { Request, Response } from 'express';
import { z } from 'zod';

import type { ProviderSession } from '../../../application/identity/sign-in-with-method.ts';
import { MAX_AGENT, type SessionOrigin } from '../../../domain/identity/console-session.ts';
import type { IdentityProvider } from '../../../domain/ports/identity/identity-provider.ts';
import { ok, type Refusal } from '../../../domain/result.ts';
import { textOf } from '../kit/text.ts';
import type { TooMany } from '../serving/admit/admin-attempts.ts';
import { clientAddress } from '../serving/listener/host.ts';
import type { MerchantDeskOptions } from './merchant-desk-options.ts';
import { passkeyPlace, usedPasskey } from './passkeys.ts';
import { passkeyWay } from './passkey-way.ts';
import { providerWay } from './provider-way.ts';
import { recordRefusedSignIn, recordSignIn } from './record-sign-in.ts';
import { readProof, type Desk } from './session.ts';

const codeProof = z.object({ code: z.string() }, { error: 'must have a code, as text' });
const proof = z.union(
  [
    z.object({ token: z.string() }),
    codeProof,
    z.object({ passkey: usedPasskey }),
    z.object({ provider: textOf({ max: 8_192 }) }),
  ],
  { error: 'must have a token or a code, as text, or the answer of a passkey or of the identity provider' },
);
type Proof = z.output<typeof proof>;

interface SignedInBy extends Omit<ProviderSession, 'methodId'> {
  /** Account of the identity provider; null for other ways. */
  readonly methodId: string | null;
}

/**
 * Nobody guesses a passkey or a code, so the right one signs in from any address, also one with many failures. An admin token is
 * chosen by people, and an account costs requests to its provider.
 */
const isJudgedFirst = (given: Proof): boolean => 'passkey' in given || 'code' in given;

const BY_LINK = 'Sign in with a link';

/** The words of the audit log for each way to sign in. */
const wayOf = (given: Proof, provider: IdentityProvider | null): string => {
  if ('token' in given) return 'Sign in with a token';
  if ('code' in given) return BY_LINK;
  return 'passkey' in given ? 'Sign in with a passkey' : `Sign in with ${provider?.name ?? 'an identity provider'}`;
};

/**
 * The merchant signs in with the admin token or the token of an operator, with a login code, with a passkey, or at the identity
 * provider. Wrong ones count like wrong admin tokens of the API. An address that sent too many is refused here as well, but for the
 * right passkey or code.
 */
export const merchantDesk = (options: MerchantDeskOptions): Desk => {
  const { application, attempts, live, trusts, attemptCookie, originOf, provider } = options;
  const passkeys = passkeyWay(options);
  const accounts = providerWay(options);

  const signedInBy = async (request: Request, given: Proof, origin: SessionOrigin) => {
    if ('provider' in given) return accounts.signIn(request, given.provider, origin);
    const signedIn =
      'passkey' in given ? await passkeys.signIn(request, given.passkey, origin) : await application.signIn(given, origin);
    return signedIn.ok ? ok({ session: signedIn.value, methodId: null, newly: null }) : signedIn;
  };

  const record = async (
    request: Request,
    response: Response,
    { session, methodId, newly }: SignedInBy,
    what: string,
  ): Promise<void> => {
    const actor = (await application.lookAtSession(session))?.actor;
    if (!actor) return;
    // The account is a sign-in method of the operator from now on.
    const body = newly === null ? null : { connectedAccount: newly };
    await recordSignIn(options, request, response, { operatorId: actor.operatorId, operator: actor.name, what, body });
    if (methodId !== null) await application.noteProviderUse(methodId);
  };

  const failed = async <R extends Refusal>(
    request: Request,
    response: Response,
    refused: R,
    what: string,
  ): Promise<R | TooMany> => {
    response.locals.notes.reason = 'wrong_sign_in';
    const answer = (await attempts.failed(request, response)) ?? refused;
    recordRefusedSignIn(options, request, response, { what, code: answer.code, reason: 'wrong_sign_in' });
    return answer;
  };

  const unlessTooMany =
    <T>(begin: (request: Request, response: Response) => T | Promise<T>) =>
    async (request: Request, response: Response) =>
      attempts.refusal(request, response) ?? begin(request, response);

  /** A look counts as a try does, after the code is judged, and leaves the code as it is. */
  const lookAtCode = async (request: Request, response: Response) => {
    const given = await readProof(request, codeProof);
    if (!given.ok) return given;
    const found = await application.lookAtCode(given.value.code);
    if (found.ok) return found;
    return failed(request, response, found, BY_LINK);
  };

  return {
    proof,
    begin: { code: lookAtCode, passkey: passkeys.begin, provider: unlessTooMany(accounts.begin) },
    signIn: async (request, response, body) => {
      const given = body as Proof;
      const what = wayOf(given, provider);
      const refusal = isJudgedFirst(given) ? null : attempts.refusal(request, response);
      if (refusal) {
        recordRefusedSignIn(options, request, response, { what, code: refusal.code, reason: 'too_many_wrong_admin_tokens' });
        return refusal;
      }
      const signedIn = await signedInBy(request, given, {
        address: clientAddress(request, trusts),
        agent: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
      });
      // An attempt is for one try.
      if ('passkey' in given || 'provider' in given) attemptCookie.clear(request, response);
      if (signedIn.ok) {
        await record(request, response, signedIn.value, what);
        return ok(signedIn.value.session);
      }
      // Nobody guesses by meeting a provider that is away.
      if (signedIn.code !== 'unauthenticated') return signedIn;
      return failed(request, response, signedIn, what);
    },
    describe: async (request, session) => {
      const used = session === null ? null : await application.useSession(session);
      if (used !== null) return { ok: true, operator: { ...used.actor, sessionId: used.id } };
      return { ok: false, ways: { passkey: passkeyPlace(originOf(request)) !== null, provider: provider?.name ?? null } };
    },
    signOut: async (_request, session) => {
      await application.signOut(session);
      live.endSession(session);
    },
  };
};
