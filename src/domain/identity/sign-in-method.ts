import { ok, refuse, type Refusal, type Result } from '../result.ts';
import type { Operator } from './operator.ts';

export const SIGN_IN_KINDS = ['passkey', 'provider'] as const;
export type SignInKind = (typeof SIGN_IN_KINDS)[number];

/** A way to sign in beside links and tokens: a passkey, or an account of the identity provider. */
export interface SignInMethod {
  readonly id: string;
  readonly kind: SignInKind;
  /** A passkey's name is chosen by its operator. An account's name is its email address. */
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** An operator has at most this many passkeys. */
export const MAX_PASSKEYS = 20;

/** Signing in with a passkey or at the provider, and adding a passkey, must end within this many seconds. */
export const ATTEMPT_SECONDS = 300;

/**
 * Detects a copied passkey by its counter, which rises with each use. Passkeys that are
 * synchronised between devices do not count, and always say 0.
 */
export const countsUp = (counter: number, before: number): boolean => counter > before || (counter === 0 && before === 0);

/** Whom the identity provider says that it has signed in. */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

const refused = (message: string): Refusal<'unauthenticated'> => refuse('unauthenticated', message);

/** The address by which the operator of a new account is found: one that the provider has verified. */
export const verifiedEmail = ({ email, isEmailVerified }: ProviderAccount): Result<string, 'unauthenticated'> => {
  if (email === null)
    return refused('The identity provider did not send your email address. Ask an owner of this server for a sign-in link.');
  return isEmailVerified
    ? ok(email)
    : refused(`The identity provider has not verified ${email}. Verify the address there, or ask an owner for a sign-in link.`);
};

/** The one operator who has the address. Nobody is made an operator by signing in. */
export const operatorOf = (email: string, [found, ...others]: readonly Operator[]): Result<Operator, 'unauthenticated'> => {
  if (!found) return refused(`No operator has the email address ${email}. Ask an owner of this server to add you.`);
  return others.length === 0
    ? ok(found)
    : refused(`Several operators have the email address ${email}. Ask an owner to give each one an address of its own.`);
};

export const OTHER_ACCOUNT = refused(
  'Your operator is connected to another account of the identity provider. Ask an owner to remove that account.',
);
export const UNKNOWN_PASSKEY = refused('This server does not know the passkey, or its operator has ended. Sign in another way.');
export const REFUSED_PASSKEY = refused(
  'The answer of the passkey is not valid for this console. Try again, or sign in another way.',
);
export const COPIED_PASSKEY = refused(
  'The passkey was used elsewhere with a later counter, so it may be a copy. Sign in another way, and remove it.',
);
export const NO_ATTEMPT = refused(
  'The sign-in began in another browser, was used before, or took longer than 5 minutes. Begin again.',
);
