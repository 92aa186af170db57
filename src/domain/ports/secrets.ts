/** Randomness, hashes and encryption. Hashes are 64 lower-case hex digits. */
export interface Secrets {
  /** That many bytes which nobody can foretell. */
  randomBytes(size: number): Uint8Array;
  /** A new webhook signing secret: `whsec_` and padded standard base64 of 32 random bytes. */
  signingSecret(): string;
  /** SHA-256 of the text's UTF-8: what is kept of a token. */
  sha256(text: string): string;
  /** HMAC-SHA-256 of a client secret under the server's newest pepper: what is kept of it. */
  hashClientSecret(secret: string): string;
  /** Whether one of the hashes was made of this secret, under the newest pepper or an older one. No hashes cost as much as one. */
  matchesClientSecret(secret: string, hashes: readonly string[]): boolean;
  /** Encrypts under the newest key, bound to the context: opening needs the same one. The same text is sealed differently each time. */
  seal(text: string, context: string): string;
  /** What was sealed, under the newest key or an older one. Throws when it was changed, bound to another context or sealed under a key that is gone. */
  open(sealed: string, context: string): string;
  /** Standard Webhooks 1.0.0, for a secret, which begins with `whsec_`: makes `v1,` and padded base64 of the HMAC-SHA-256 of a content. */
  webhookSigner(secret: string): (content: string) => string;
  /** Whether two texts are equal, in a time that does not tell where they differ. */
  equal(one: string, other: string): boolean;
}
