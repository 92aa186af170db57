import { createHash, createHmac } from 'node:crypto';

import { SecretUnopened, type Secrets } from '../../src/domain/ports/secrets.ts';

const hex = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * FNV-1a with eight different seeds: 64 hex digits that differ where texts differ. It keeps no
 * secret and is for tests only.
 */
const mixed = (text: string): string =>
  [0, 1, 2, 3, 4, 5, 6, 7]
    .map((round) => {
      let hash = 0x811c9dc5;
      for (const byte of new TextEncoder().encode(`${String(round)}:${text}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
      return hash.toString(16).padStart(8, '0');
    })
    .join('');

/**
 * The secrets port without randomness: the same calls give the same secrets. The first of the keys
 * is the newest.
 */
export const createMemorySecrets = (keys: readonly [string, ...string[]] = ['memory']): Secrets => {
  let made = 0;
  const [newest] = keys;
  const clientSecretHash = (key: string, secret: string): string => createHmac('sha256', key).update(secret).digest('hex');
  const digest = (purpose: string): string => {
    made += 1;
    return mixed(`${purpose} ${String(made)}`);
  };
  return {
    randomBytes: (size) => {
      const seed = digest('random');
      return Uint8Array.from({ length: size }, (_, index) =>
        parseInt(mixed(`${seed} ${String(index >> 5)}`).slice((index % 32) * 2, (index % 32) * 2 + 2), 16),
      );
    },
    signingSecret: () => `whsec_${digest('signing').slice(0, 43)}=`,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    hashClientSecret: (secret) => clientSecretHash(newest, secret),
    matchesClientSecret: (secret, hashes) => keys.some((key) => hashes.includes(clientSecretHash(key, secret))),
    // A real signature, because receivers verify it with a published library in tests too.
    webhookSigner: (secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return (content) => `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`;
    },
    seal: (text, context) => ['v1', newest, digest('nonce').slice(0, 24), hex(text), mixed(`${context} ${hex(text)}`)].join('.'),
    open: (sealed, context) => {
      const [, key = '', , ciphertext = '', tag] = sealed.split('.');
      if (!keys.includes(key)) throw new SecretUnopened(key, key !== '');
      if (tag !== mixed(`${context} ${ciphertext}`)) throw new SecretUnopened(key, false);
      return new TextDecoder().decode(Uint8Array.from(ciphertext.match(/../g) ?? [], (pair) => parseInt(pair, 16)));
    },
    equal: (one, other) => one === other,
  };
};
