import type { SessionOrigin } from '../../domain/identity/console-session.ts';
import {
  COPIED_PASSKEY,
  NO_ATTEMPT,
  operatorOf,
  OTHER_ACCOUNT,
  verifiedEmail,
  type ProviderAccount,
} from '../../domain/identity/sign-in-method.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { KnownSignInMethod } from '../../domain/ports/identity/sign-in-methods.ts';
import { ok, type Result } from '../../domain/result.ts';
import { newCredential } from './new-credential.ts';
import { attemptKey, type SignInAttempt } from './sign-in-attempt.ts';

type SignInPorts = Pick<Ports, 'consoleSessions' | 'ids' | 'operators' | 'secrets' | 'signInMethods'>;
type Refused = 'unauthenticated';

/** Starts the session of an attempt, which can start one alone. */
const startSession = async (
  { consoleSessions, secrets }: SignInPorts,
  adminToken: string,
  given: { readonly attempt: SignInAttempt; readonly operatorId: string; readonly origin: SessionOrigin },
): Promise<Result<string, Refused>> => {
  const { attempt, operatorId, origin } = given;
  const session = newCredential(secrets, 'session');
  const key = attemptKey(secrets, attempt);
  const [hash, tokenHash] = [secrets.sha256(session), secrets.hashClientSecret(adminToken)];
  return (await consoleSessions.startOnce(key, hash, tokenHash, operatorId, origin)) ? ok(session) : NO_ATTEMPT;
};

/** A use of a passkey, proven by its signature. */
export interface PasskeyUse {
  readonly attempt: SignInAttempt;
  readonly passkey: KnownSignInMethod;
  readonly counter: number;
}

/** Starts a session of the operator whose passkey signed the challenge of the attempt. */
export const signInWithPasskey =
  (ports: SignInPorts, adminToken: string) =>
  async ({ attempt, passkey, counter }: PasskeyUse, origin: SessionOrigin): Promise<Result<string, Refused>> => {
    if (!(await ports.signInMethods.use(passkey.id, counter))) return COPIED_PASSKEY;
    return startSession(ports, adminToken, { attempt, operatorId: passkey.operatorId, origin });
  };

interface Connection {
  readonly methodId: string;
  /** The address by which the account was connected, until its first use is noted; null afterwards. */
  readonly newly: string | null;
}

interface Connected extends Connection {
  readonly operatorId: string;
}

/** The operator of the account: the one it is connected to, or else the one who has its verified address. */
const connectedOperator = async (
  { ids, operators, secrets, signInMethods }: SignInPorts,
  account: ProviderAccount,
): Promise<Result<Connected, Refused>> => {
  const { issuer, subject } = account;
  const key = secrets.sha256(JSON.stringify([issuer, subject]));
  const find = async (): Promise<Connected | null> => {
    const known = await signInMethods.find('provider', key);
    return known && { operatorId: known.operatorId, methodId: known.id, newly: known.lastUsedAt === null ? known.name : null };
  };
  const known = await find();
  if (known) return ok(known);
  const email = verifiedEmail(account);
  if (!email.ok) return email;
  const found = operatorOf(email.value, await operators.withEmail(email.value));
  if (!found.ok) return found;
  const { id: operatorId } = found.value;
  const added = await signInMethods.add({ id: ids.next(), operatorId, kind: 'provider', name: email.value, key, issuer });
  if (added !== null && typeof added !== 'string') return ok({ operatorId, methodId: added.id, newly: email.value });
  // Another sign-in with the same account may have connected it meanwhile.
  const meanwhile = await find();
  return meanwhile ? ok(meanwhile) : OTHER_ACCOUNT;
};

export interface ProviderSession extends Connection {
  readonly session: string;
}

/**
 * Starts a session of the operator of an account that the identity provider has signed in. Its use is noted by noteProviderUse,
 * after the audit log has it: what is interrupted before that reports the new account again.
 */
export const signInWithProvider =
  (ports: SignInPorts, adminToken: string) =>
  async (attempt: SignInAttempt, account: ProviderAccount, origin: SessionOrigin): Promise<Result<ProviderSession, Refused>> => {
    const connected = await connectedOperator(ports, account);
    if (!connected.ok) return connected;
    const { operatorId, methodId, newly } = connected.value;
    const started = await startSession(ports, adminToken, { attempt, operatorId, origin });
    return started.ok ? ok({ session: started.value, methodId, newly }) : started;
  };

export const noteProviderUse =
  ({ signInMethods }: SignInPorts) =>
  async (methodId: string): Promise<void> => {
    await signInMethods.use(methodId, 0);
  };
