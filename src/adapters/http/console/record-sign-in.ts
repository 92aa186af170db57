import type { Request, Response } from 'express';

import type { Application } from '../../../application/index.ts';
import type { AuditAsked } from '../../../domain/insight/audit.ts';
import { clientAddress, type TrustsProxy } from '../serving/listener/host.ts';

/** Who signed in, and how in the words of the audit log. */
export interface SignedIn extends Pick<AuditAsked, 'operator' | 'what'> {
  readonly operatorId: string | null;
  /** What the sign-in changed; null for nothing. */
  readonly body?: object | null;
}

/** Records a sign-in in the audit log. One without an entry is not handed out. */
export const recordSignIn = async (
  { application, trusts }: { readonly application: Pick<Application, 'auditChange'>; readonly trusts: TrustsProxy },
  request: Request,
  response: Response,
  { operatorId, operator, what, body = null }: SignedIn,
): Promise<void> => {
  const { requestId, route = '' } = response.locals.notes;
  const place = { route, path: request.path, address: clientAddress(request, trusts) };
  const recordOutcome = await application.auditChange({
    operatorId,
    place: null,
    asked: { operator, way: 'console', what, ...place, requestId, body, before: null },
  });
  await recordOutcome({ status: 200, code: null, created: null, after: null });
};
