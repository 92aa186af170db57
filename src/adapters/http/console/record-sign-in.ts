import type { Request, Response } from 'express';

import type { AuditRefused } from '../../../application/insight/gather-audit-refusals.ts';
import type { Application } from '../../../application/index.ts';
import { UNKNOWN_OPERATOR, type AuditAsked } from '../../../domain/insight/audit.ts';
import { clientAddress, type TrustsProxy } from '../serving/listener/host.ts';
import { addressKey } from '../serving/reply/rate-limit.ts';
import { STATUS_OF, type ErrorCode } from '../serving/reply/refusals.ts';

interface Recording {
  readonly application: Pick<Application, 'auditChange'>;
  readonly trusts: TrustsProxy;
  /** Never waits. */
  readonly onAuditRefused: (refused: AuditRefused) => void;
}

/** The person who signed in, and the way in the words of the audit log. */
export interface SignedIn extends Pick<AuditAsked, 'operator' | 'what'> {
  readonly operatorId: string | null;
  /** Change by the sign-in; null for none. */
  readonly body?: object | null;
}

const askedOf = (
  { trusts }: Pick<Recording, 'trusts'>,
  request: Request,
  response: Response,
  { operator, what, body = null }: Omit<SignedIn, 'operatorId'>,
) => {
  const { requestId, route = '' } = response.locals.notes;
  const address = clientAddress(request, trusts);
  return { operator, way: 'console', what, route, path: request.path, address, requestId, body } as const;
};

/** Records a sign-in in the audit log. One without an entry is not handed out. */
export const recordSignIn = async (
  options: Omit<Recording, 'onAuditRefused'>,
  request: Request,
  response: Response,
  signedIn: SignedIn,
): Promise<void> => {
  const { operatorId } = signedIn;
  const asked = { ...askedOf(options, request, response, signedIn), before: null };
  const recordOutcome = await options.application.auditChange({ operatorId, place: null, asked });
  await recordOutcome({ status: 200, code: null, created: null, after: null });
};

/** A sign-in that failed, without what was shown for it. */
export interface RefusedSignIn extends Pick<SignedIn, 'what' | 'body'> {
  readonly code: ErrorCode;
  readonly reason: 'wrong_sign_in' | 'too_many_wrong_admin_tokens';
  /** Store that the request names. */
  readonly domain?: string | null;
}

/** Each way to sign in is counted on its own: who guesses at one hides no failure of another. */
export const recordRefusedSignIn = (
  { trusts, onAuditRefused }: Omit<Recording, 'application'>,
  request: Request,
  response: Response,
  { what, body = null, code, reason, domain = null }: RefusedSignIn,
): void => {
  const asked = askedOf({ trusts }, request, response, { operator: UNKNOWN_OPERATOR, what, body });
  onAuditRefused({
    kind: what,
    sender: addressKey(asked.address),
    operatorId: null,
    place: domain === null ? null : { domain },
    reason,
    asked,
    answer: { status: STATUS_OF[code], code },
  });
};
