import { randomBytes } from 'node:crypto';

/** An AES-256 key. What it sealed carries its name, the kid. */
export interface SecretKey {
  readonly kid: string;
  readonly key: Buffer;
}

/** A new key as `SECRET_KEYS` has it. Its name is unique, so that a store can move to another server beside the key of that. */
export const newSecretKey = (): string => {
  const day = new Date().toISOString().slice(0, 10);
  return `k-${day}-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;
};

/**
 * `SECRET_KEYS`: "kid:base64,kid2:base64", 32 bytes each. The first one encrypts. Throws an Error
 * whose message says in one line what is wrong, and never contains a key.
 */
export const parseSecretKeys = (text: string): SecretKey[] => {
  const keys = text.split(',').map((entry, index) => {
    const [, kid, base64] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry) ?? [];
    if (kid === undefined || base64 === undefined) {
      throw new Error(`entry ${String(index + 1)} must be kid:base64 of 32 bytes; commas separate the entries`);
    }
    return { kid, key: Buffer.from(base64, 'base64') };
  });
  const twice = keys.find(({ kid }, at) => keys.findIndex((other) => other.kid === kid) < at)?.kid;
  if (twice !== undefined)
    throw new Error(
      `two keys have the name ${twice}. Keep the one that the stored secrets need. For both, first rotate one server to a key with another name: tenon keys rotate`,
    );
  return keys;
};
