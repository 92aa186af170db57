import { MAX_PASSKEYS, NO_ATTEMPT, type SignInMethod } from '../../domain/identity/sign-in-method.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { HAS_ENDED } from './create-console-code.ts';
import { beginAttempt, attemptKey, openAttempt, type SignInAttempt } from './sign-in-attempt.ts';
import { noteProviderUse, signInWithPasskey, signInWithProvider } from './sign-in-with-method.ts';

/** A passkey that a device made and the adapter has verified. Bytes are in hex. */
export interface MadePasskey {
  readonly key: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

const KNOWN = refuse('conflict', 'This passkey was added before.');
const TOO_MANY = refuse('conflict', `An operator has at most ${String(MAX_PASSKEYS)} passkeys. Remove one first.`);

/** The ways of operators to sign in without a link or a token. */
export const signInMethodUses = (ports: Ports, adminToken: string) => {
  const { consoleSessions, ids, operators, secrets, signInMethods } = ports;
  return {
    beginAttempt: beginAttempt(ports),
    openAttempt: openAttempt(ports),
    signInWithPasskey: signInWithPasskey(ports, adminToken),
    signInWithProvider: signInWithProvider(ports, adminToken),
    noteProviderUse: noteProviderUse(ports),
    findPasskey: (key: string) => signInMethods.find('passkey', key),
    passkeyKeys: signInMethods.passkeys,
    /** The attempt is for one passkey. */
    addPasskey: async (
      operatorId: string,
      name: string,
      made: MadePasskey,
      attempt: SignInAttempt,
    ): Promise<Result<SignInMethod, 'conflict'>> => {
      const tokenHash = secrets.hashClientSecret(adminToken);
      if (!(await consoleSessions.useOnce(attemptKey(secrets, attempt), tokenHash)))
        return refuse('conflict', NO_ATTEMPT.message);
      const added = await signInMethods.add({ ...made, id: ids.next(), operatorId, kind: 'passkey', name });
      if (added === null) return HAS_ENDED;
      if (added === 'taken') return KNOWN;
      return added === 'too_many' ? TOO_MANY : ok(added);
    },
    ownSignInMethods: async (operatorId: string) => ok(await signInMethods.list(operatorId)),
    listSignInMethods: async (operatorId: string): Promise<Result<readonly SignInMethod[], 'not_found'>> =>
      (await operators.get(operatorId)) === null ? notFound('Operator') : ok(await signInMethods.list(operatorId)),
    /** The holder of the admin token has no methods. */
    removeSignInMethod: async (operatorId: string | null, id: string): Promise<Result<null, 'not_found'>> =>
      operatorId !== null && (await signInMethods.remove(operatorId, id)) ? ok(null) : notFound('Sign-in method'),
  };
};
