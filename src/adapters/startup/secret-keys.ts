/** An AES-256 key. What it sealed carries its name, the kid. */
export interface SecretKey {
  readonly kid: string;
  readonly key: Buffer;
}

/**
 * `SECRET_KEYS`: "kid:base64,kid2:base64", 32 bytes each. The first one encrypts. Throws an Error
 * with one line that says what is wrong and never contains the key.
 */
export const parseSecretKeys = (text: string): SecretKey[] => {
  const keys = text.split(',').map((entry, index) => {
    const [, kid, base64] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry) ?? [];
    if (kid === undefined || base64 === undefined) {
      throw new Error(`SECRET_KEYS: entry ${String(index + 1)} is not "kid:base64" with 32 bytes in base64`);
    }
    return { kid, key: Buffer.from(base64, 'base64') };
  });
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new Error('SECRET_KEYS: a kid appears more than once');
  return keys;
};
