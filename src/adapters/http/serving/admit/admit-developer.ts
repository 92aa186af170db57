import { provenKey } from '../../../../domain/identity/rate-limit.ts';
import { parseCredential } from '../../../../domain/identity/token.ts';
import { NO_CALLER, reject, unauthenticated } from './admit.ts';
import { limitedByAddress, rejectToken, type AppAdmission } from './app-admission.ts';
import type { Admitted, RequestContext } from '../context.ts';
import { basicCredentials } from './token-request.ts';
import { clientAddress } from '../listener/host.ts';
import { judgeClient } from './judge-client.ts';
import { addressKey } from '../reply/rate-limit.ts';

/** In its console, the developer of a platform app shows a session. It is of no store. */
const admitSession = async (
  { credential, failures, trusts }: AppAdmission,
  context: RequestContext,
): Promise<Admitted | null> => {
  const session = credential.read(context.request);
  if (session === null) return unauthenticated(context, 'no_token');
  const address = (): string => addressKey(clientAddress(context.request, trusts));
  const found = await failures.lookUp(session, address, async () => {
    const developer = await context.application.useDeveloperSession(session);
    return developer === null ? ({ ok: false, reason: 'unknown_token' } as const) : ({ ok: true, developer } as const);
  });
  if (!found.ok) return rejectToken(context, credential, session, found);
  const { app, openedBy } = found.developer;
  context.notes.developer = openedBy;
  const limited = await context.limit('installation', provenKey(app.id));
  return limited ? reject(context, limited) : { ...NO_CALLER, platformApp: app };
};

/** The developer of a platform app, of any store. A text that is not a client id is never counted. */
const admitClient = async (options: AppAdmission, context: RequestContext): Promise<Admitted | null> => {
  const byAddress = await limitedByAddress(options, context);
  if (byAddress) return reject(context, byAddress);
  const [header, ...others] = context.request.headersDistinct['authorization'] ?? [];
  const proof = header === undefined || others.length > 0 ? null : basicCredentials(header);
  if (!proof?.ok) return unauthenticated(context, 'no_token');
  if (!parseCredential('clientId', proof.value.clientId)) return unauthenticated(context, 'malformed_client_id');
  const { authenticateDeveloper } = context.application;
  const found = await judgeClient(context, proof.value.clientId, (count) => authenticateDeveloper(proof.value, count));
  if (found.ok) return { ...NO_CALLER, platformApp: found.value };
  if (found.code === 'rate_limited') return reject(context, found);
  return unauthenticated(context, found.reason);
};

/** The developer of a platform app shows the credentials of the app, and in its console a session. */
export const admitDeveloper = (options: AppAdmission, context: RequestContext): Promise<Admitted | null> =>
  options.credential.kind === 'session' ? admitSession(options, context) : admitClient(options, context);
