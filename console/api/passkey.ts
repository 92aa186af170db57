import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

import { api } from './client.ts';
import { beginSignIn, signIn } from './session.ts';
import type { PasskeyChallenge, SignInMethod } from './types.ts';

/** Loaded when a reader uses a passkey, as most do not. */
const load = () => import('@simplewebauthn/browser');

const CANCELLED = 'The passkey was not used. Try again, or sign in another way.';
const NOT_MADE = 'No passkey was made. Try again.';
const THERE = 'This device has a passkey of yours already.';

/** The browser's own errors are long, and speak of its programming interface. */
const inWords = async <T>(ask: () => Promise<T>, words: Readonly<Record<string, string>>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const said = error instanceof Error ? words[error.name] : undefined;
    throw said === undefined ? error : new Error(said, { cause: error });
  }
};

export const signInWithPasskey = async (): Promise<void> => {
  const optionsJSON = await beginSignIn<PublicKeyCredentialRequestOptionsJSON>('passkey');
  const { startAuthentication } = await load();
  const words = { NotAllowedError: CANCELLED, AbortError: CANCELLED };
  const passkey = await inWords(() => startAuthentication({ optionsJSON }), words);
  await signIn({ passkey });
};

export const addPasskey = async (name: string): Promise<SignInMethod> => {
  const { attempt, options } = await api.post<PasskeyChallenge>('/operator/passkey-challenges');
  const { startRegistration } = await load();
  const words = { NotAllowedError: NOT_MADE, AbortError: NOT_MADE, InvalidStateError: THERE };
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const credential = await inWords(() => startRegistration({ optionsJSON }), words);
  return api.post<SignInMethod>('/operator/passkeys', { name, attempt, credential });
};
