import { describe, expect, it } from 'vitest';

import { SecretUnopened, type Secrets } from '../../src/domain/ports/secrets.ts';

/**
 * `before` has the older key alone, `secrets` has the newest and the older one, and `after` has the
 * newest alone.
 */
export interface SecretsWorld {
  readonly secrets: Secrets;
  readonly before: Secrets;
  readonly after: Secrets;
}

const changed = (sealed: string): string => {
  const [version, kid, nonce, ciphertext = '', tag] = sealed.split('.');
  return [version, kid, nonce, `${ciphertext.startsWith('0') ? '1' : '0'}${ciphertext.slice(1)}`, tag].join('.');
};

export const secretsContract = (name: string, open: () => SecretsWorld): void => {
  describe(`Secrets on ${name}`, () => {
    const { secrets, before, after } = open();

    describe('randomBytes', () => {
      it('Returns this many bytes, different ones each time.', () => {
        expect(secrets.randomBytes(32)).toHaveLength(32);
        expect([...secrets.randomBytes(16)]).not.toEqual([...secrets.randomBytes(16)]);
      });
    });
    describe('signingSecret', () => {
      it('Returns a new webhook signing secret: `whsec_` and 32 random bytes in padded standard base64.', () => {
        expect(secrets.signingSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
        expect(secrets.signingSecret()).not.toBe(secrets.signingSecret());
      });
    });
    describe('sha256', () => {
      it('Returns the SHA-256 of the text in UTF-8, as lower-case hex.', () => {
        expect(secrets.sha256('Löwe')).toBe('ce8c8bab826164c3cdfc19eab70ab32358c75943bbc25c8357f62952b3d720c5');
      });
    });
    describe('hashClientSecret', () => {
      it('Returns a hash of the client secret under the newest pepper, as 64 lower-case hex digits.', () => {
        const hash = secrets.hashClientSecret('text');
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
        expect(hash).not.toBe(secrets.sha256('text'));
        expect(hash).not.toBe(secrets.hashClientSecret('texts'));
        expect(hash).not.toBe(before.hashClientSecret('text'));
        expect(hash).toBe(after.hashClientSecret('text'));
      });
    });
    describe('matchesClientSecret', () => {
      it('Returns whether one of the hashes was made from this secret.', () => {
        const hashes = [secrets.hashClientSecret('old'), secrets.hashClientSecret('new')];
        expect(secrets.matchesClientSecret('new', hashes)).toBe(true);
        expect(secrets.matchesClientSecret('old', hashes)).toBe(true);
        expect(secrets.matchesClientSecret('other', hashes)).toBe(false);
      });
      it('Accepts a hash that was made under an older pepper.', () => {
        const hashes = [before.hashClientSecret('old')];
        expect(secrets.matchesClientSecret('old', hashes)).toBe(true);
        expect(after.matchesClientSecret('old', hashes)).toBe(false);
      });
      it('Returns false when there are no hashes.', () => {
        expect(secrets.matchesClientSecret('new', [])).toBe(false);
      });
    });
    describe('seal', () => {
      it('Encrypts the text under the newest key.', () => {
        const sealed = secrets.seal('whsec_Löwe', 'a');
        expect(sealed).toMatch(/^v1(\.[A-Za-z0-9_-]+){4}$/);
        expect(after.open(sealed, 'a')).toBe('whsec_Löwe');
        expect(() => before.open(sealed, 'a')).toThrow();
      });
      it('Returns a different result each time.', () => {
        expect(secrets.seal('whsec_Löwe', 'a')).not.toBe(secrets.seal('whsec_Löwe', 'a'));
      });
    });
    describe('open', () => {
      it('Returns the text that was sealed in this context.', () => {
        expect(secrets.open(secrets.seal('whsec_Löwe', 'a'), 'a')).toBe('whsec_Löwe');
      });
      it('Opens a text that was sealed under an older key.', () => {
        expect(secrets.open(before.seal('secret', 'a'), 'a')).toBe('secret');
      });
      it('Throws when the sealed text was changed.', () => {
        const sealed = secrets.seal('secret', 'a');
        expect(() => secrets.open(changed(sealed), 'a')).toThrow();
      });
      it('Throws when it was sealed in another context.', () => {
        const sealed = secrets.seal('secret', 'a');
        expect(() => secrets.open(sealed, 'b')).toThrow();
      });
      it('Throws when its key was removed.', () => {
        const sealed = before.seal('secret', 'a');
        expect(() => after.open(sealed, 'a')).toThrow('k1');
      });
      it('What it throws is a SecretUnopened, which has the name of the key.', () => {
        const sealed = before.seal('secret', 'a');
        for (const open of [
          () => after.open(sealed, 'a'),
          () => secrets.open(sealed, 'b'),
          () => secrets.open(changed(sealed), 'a'),
        ]) {
          expect(open).toThrow(SecretUnopened);
          expect(open).toThrow(expect.objectContaining({ kid: 'k1' }) as Error);
        }
      });
      it('It says whether the key is missing.', () => {
        const sealed = secrets.seal('secret', 'a');
        expect(() => after.open(before.seal('secret', 'a'), 'a')).toThrow(
          expect.objectContaining({ isKeyMissing: true }) as Error,
        );
        for (const open of [
          () => secrets.open(sealed, 'b'),
          () => secrets.open(changed(sealed), 'a'),
          () => secrets.open('x', 'a'),
        ])
          expect(open).toThrow(expect.objectContaining({ isKeyMissing: false }) as Error);
      });
    });
    describe('webhookSigner', () => {
      it('Returns a function that signs contents as Standard Webhooks 1.0.0 specifies.', () => {
        const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
        expect(secrets.webhookSigner('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')(content)).toBe(
          'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
        );
      });
    });
    describe('equal', () => {
      it('Returns whether two texts are equal.', () => {
        expect(secrets.equal('token', 'token')).toBe(true);
        expect(secrets.equal('token', 'tokem')).toBe(false);
        expect(secrets.equal('token', 'tok')).toBe(false);
      });
    });
  });
};
