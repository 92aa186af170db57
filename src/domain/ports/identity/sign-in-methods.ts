import type { SignInKind, SignInMethod } from '../../identity/sign-in-method.ts';

/** A credential id, or the hash of an account; in hex. */
type Key = string;

export type NewSignInMethod = { readonly id: string; readonly operatorId: string; readonly name: string; readonly key: Key } & (
  | { readonly kind: 'passkey'; readonly publicKey: string; readonly counter: number; readonly transports: readonly string[] }
  | { readonly kind: 'provider'; readonly issuer: string }
);

/** Facts that a sign-in is judged by. */
export interface KnownSignInMethod extends Pick<SignInMethod, 'id' | 'name' | 'lastUsedAt'> {
  readonly operatorId: string;
  /** In hex; null for an account. */
  readonly publicKey: string | null;
  readonly counter: number;
}

/** For the browser, so that no device makes a second passkey. */
export interface PasskeyKey {
  readonly key: Key;
  readonly transports: readonly string[];
}

export interface SignInMethods {
  /**
   * Adds the method. Returns null and writes nothing when the operator does not exist, or has ended.
   * Returns `taken` and writes nothing when a method has the key. Returns `taken` and writes nothing
   * when the operator has an account of the issuer. Returns `too_many` and writes nothing when the
   * operator has 20 passkeys. Concurrent additions of an operator follow one after the other.
   */
  add(method: NewSignInMethod): Promise<SignInMethod | 'taken' | 'too_many' | null>;
  /** Returns the methods of the operator by creation, then id. */
  list(operatorId: string): Promise<readonly SignInMethod[]>;
  /** Returns the keys of the operator's passkeys by creation, then id. */
  passkeys(operatorId: string): Promise<readonly PasskeyKey[]>;
  /** Returns the method of this kind and key. Returns null when there is none. Returns null when its operator has ended. */
  find(kind: SignInKind, key: Key): Promise<KnownSignInMethod | null>;
  /**
   * Notes the time of the use and the counter. Returns false and notes nothing when the counter is not above the one
   * before. Accepts 0 after 0. Returns false when the method does not exist.
   */
  use(id: string, counter: number): Promise<boolean>;
  /** Deletes the method. Returns false when the operator does not have it. */
  remove(operatorId: string, id: string): Promise<boolean>;
}
