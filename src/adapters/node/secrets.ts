import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

import { SecretUnopened, type Secrets } from '../../domain/ports/secrets.ts';
import { SIGNING_SECRET_PREFIX } from '../../domain/identity/token.ts';
import type { SecretKey } from '../startup/secret-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NO_HASH = '0'.repeat(64);

const hmac = (pepper: Buffer, text: string): Buffer => createHmac('sha256', pepper).update(text, 'utf8').digest();

/**
 * A pepper is derived from each key, so that one setting has every secret of the server and no
 * secret serves two purposes.
 */
export const pepperOf = ({ key }: SecretKey): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', 'tenon client secret pepper v1', 32));

export interface SecretsOptions {
  /** Peppers of keys that are not among the keys any more, as they are known by now. */
  readonly retiredPeppers?: () => Iterable<Buffer>;
  /** The name of the key that seals and peppers now; the first by default. */
  readonly sealing?: () => string;
  /** Only tests replace it. */
  readonly random?: (size: number) => Buffer;
}

/** `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (random: (size: number) => Buffer = randomBytes): string =>
  `${SIGNING_SECRET_PREFIX}${random(32).toString('base64')}`;

/** Signs content by Standard Webhooks: `v1,` and the HMAC-SHA256 in base64. */
export const webhookSigner = (secret: string): ((content: string) => string) => {
  const key = Buffer.from(secret.slice(SIGNING_SECRET_PREFIX.length), 'base64');
  return (content) => `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`;
};

/**
 * The secrets port on node:crypto. The first key seals and peppers new secrets, unless `sealing`
 * names another. All keys open and match existing ones, so you rotate keys by putting a new one
 * first. You can remove an old key once its secrets are sealed again and its pepper is kept.
 */
export const createSecrets = (
  keys: readonly SecretKey[],
  { retiredPeppers = () => [], sealing = () => '', random = randomBytes }: SecretsOptions = {},
): Secrets => {
  const known = keys.map((key) => ({ ...key, pepper: pepperOf(key) }));
  const byKid: ReadonlyMap<string, (typeof known)[number]> = new Map(known.map((key) => [key.kid, key]));
  const [first] = known;
  if (first === undefined) throw new Error('SECRET_KEYS must contain at least one key');
  const current = () => byKid.get(sealing()) ?? first;
  // timingSafeEqual needs equal lengths, and the digest hides the lengths of the texts.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return {
    randomBytes: random,
    signingSecret: () => newSigningSecret(random),
    sha256: (text) => hash('sha256', text, 'hex'),
    hashClientSecret: (secret) => hmac(current().pepper, secret).toString('hex'),
    matchesClientSecret: (secret, hashes) => {
      const kept = (hashes.length === 0 ? [NO_HASH] : hashes).map((hash) => Buffer.from(hash, 'hex'));
      // Every pair is compared, also after a match.
      const matches = [...known.map(({ pepper }) => pepper), ...retiredPeppers()]
        .map((pepper) => hmac(pepper, secret))
        .flatMap((hash) => kept.map((other) => timingSafeEqual(hash, other)));
      return hashes.length > 0 && matches.includes(true);
    },
    webhookSigner,
    seal: (text, context) => {
      const nonce = random(NONCE_BYTES);
      const { kid, key } = current();
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
      const parts = [nonce, Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), cipher.getAuthTag()];
      return ['v1', kid, ...parts.map((part) => part.toString('base64url'))].join('.');
    },
    open: (sealed, context) => {
      const [version, kid = '', ...parts] = sealed.split('.');
      const [nonce, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
      const key = byKid.get(kid)?.key;
      if (version !== 'v1' || !key || !nonce || !ciphertext || !tag || parts.length > 3)
        throw new SecretUnopened(kid, version === 'v1' && kid !== '' && !key);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(context))
          .setAuthTag(tag);
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        // Node.js names neither the key nor a setting.
        throw new SecretUnopened(kid, false);
      }
    },
    equal: (one, other) => timingSafeEqual(digest(one), digest(other)),
  };
};
