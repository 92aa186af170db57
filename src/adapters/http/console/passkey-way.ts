import type { Request, Response } from 'express';
import type { z } from 'zod';

import type { SessionOrigin } from '../../../domain/identity/console-session.ts';
import { NO_ATTEMPT, REFUSED_PASSKEY, UNKNOWN_PASSKEY } from '../../../domain/identity/sign-in-method.ts';
import { ok, refuse, type Result } from '../../../domain/result.ts';
import type { MerchantDeskOptions } from './merchant-desk-options.ts';
import { hexOfBase64url, passkeyPlace, requestOptions, verifyUsed, type usedPasskey } from './passkeys.ts';

export const NO_PLACE = refuse(
  'conflict',
  'Browsers give no passkeys to this address. Open the console over https, or on localhost instead of 127.0.0.1.',
);

type Options = Pick<MerchantDeskOptions, 'application' | 'attemptCookie' | 'originOf'>;

/** Signing in with a passkey: the page asks for a challenge, and sends what the passkey has signed. */
export const passkeyWay = ({ application, attemptCookie, originOf }: Options) => ({
  begin: (request: Request, response: Response) => {
    const place = passkeyPlace(originOf(request));
    if (place === null) return NO_PLACE;
    const { sealed, secret } = application.beginAttempt('passkey_sign_in');
    attemptCookie.set(request, response, sealed);
    return ok(requestOptions(place, secret));
  },
  signIn: async (
    request: Request,
    answer: z.output<typeof usedPasskey>,
    origin: SessionOrigin,
  ): Promise<Result<string, 'unauthenticated' | 'conflict'>> => {
    const place = passkeyPlace(originOf(request));
    if (place === null) return NO_PLACE;
    const attempt = application.openAttempt('passkey_sign_in', attemptCookie.read(request) ?? '');
    if (attempt === null) return NO_ATTEMPT;
    const passkey = await application.findPasskey(hexOfBase64url(answer.id));
    if (passkey === null) return UNKNOWN_PASSKEY;
    const counter = await verifyUsed(place, attempt.secret, { answer, passkey });
    return counter === null ? REFUSED_PASSKEY : application.signInWithPasskey({ attempt, passkey, counter }, origin);
  },
});
