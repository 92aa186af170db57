/** A sealed text that none of the keys opens, with the name of the key that it needs. */
export class SecretUnopened extends Error {
  override readonly name = 'SecretUnopened';
  constructor(
    readonly kid: string,
    /** True when there is no key of this name. Otherwise the text was changed, or sealed in another context. */
    readonly isKeyMissing: boolean,
  ) {
    super(`SECRET_KEYS does not open a secret of key ${kid}.`);
  }
}

export interface Secrets {
  /** Returns this many bytes, different ones each time. */
  randomBytes(size: number): Uint8Array;
  /**
   * Returns a new webhook signing secret: `whsec_` and 32 random bytes in padded standard base64.
   */
  signingSecret(): string;
  /** Returns the SHA-256 of the text in UTF-8, as lower-case hex. */
  sha256(text: string): string;
  /** Returns a hash of the client secret under the newest pepper, as 64 lower-case hex digits. */
  hashClientSecret(secret: string): string;
  /**
   * Returns whether one of the hashes was made from this secret. Accepts a hash that was made under
   * an older pepper. Returns false when there are no hashes.
   */
  matchesClientSecret(secret: string, hashes: readonly string[]): boolean;
  /** Encrypts the text under the newest key. Returns a different result each time. */
  seal(text: string, context: string): string;
  /**
   * Returns the text that was sealed in this context. Opens a text that was sealed under an older
   * key. Throws when the sealed text was changed. Throws when it was sealed in another context.
   * Throws when its key was removed. What it throws is a SecretUnopened, which has the name of the
   * key. It says whether the key is missing.
   */
  open(sealed: string, context: string): string;
  /** Returns a function that signs contents as Standard Webhooks 1.0.0 specifies. */
  webhookSigner(secret: string): (content: string) => string;
  /** Returns whether two texts are equal. */
  equal(one: string, other: string): boolean;
}
