import { describe, expect, it } from 'vitest';

import type { Secrets } from '../../src/domain/ports/secrets.ts';

export const secretsContract = (name: string, open: () => Secrets): void => {
  describe(`secrets: ${name}`, () => {
    const secrets = open();

    it('gives that many bytes, different ones each time', () => {
      expect(secrets.randomBytes(32)).toHaveLength(32);
      expect([...secrets.randomBytes(16)]).not.toEqual([...secrets.randomBytes(16)]);
    });
    it('a new webhook signing secret: `whsec_` and padded standard base64 of 32 random bytes', () => {
      expect(secrets.signingSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(secrets.signingSecret()).not.toBe(secrets.signingSecret());
    });
    it('Standard Webhooks 1.0.0: `v1,` and padded base64 of the HMAC-SHA-256 of the content under the secret', () => {
      const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
      expect(secrets.webhookSigner('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')(content)).toBe(
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      );
    });
    it('hashes are 64 lower-case hex digits, the same for the same text', () => {
      for (const hash of [secrets.sha256, secrets.hashClientSecret]) {
        expect(hash('text')).toMatch(/^[0-9a-f]{64}$/);
        expect(hash('text')).toBe(hash('text'));
        expect(hash('text')).not.toBe(hash('texts'));
      }
      expect(secrets.sha256('text')).not.toBe(secrets.hashClientSecret('text'));
    });
    it('matches when one of the hashes was made of this secret', () => {
      const hashes = [secrets.hashClientSecret('old'), secrets.hashClientSecret('new')];
      expect(secrets.matchesClientSecret('new', hashes)).toBe(true);
      expect(secrets.matchesClientSecret('old', hashes)).toBe(true);
      expect(secrets.matchesClientSecret('other', hashes)).toBe(false);
      expect(secrets.matchesClientSecret('new', [])).toBe(false);
    });
    it('opens what it sealed in the same context, sealed differently each time', () => {
      const sealed = secrets.seal('whsec_Löwe', 'a');
      expect(sealed).toMatch(/^v1(\.[A-Za-z0-9_-]+){4}$/);
      expect(secrets.open(sealed, 'a')).toBe('whsec_Löwe');
      expect(secrets.seal('whsec_Löwe', 'a')).not.toBe(sealed);
    });
    it('open throws when it was changed or bound to another context', () => {
      const sealed = secrets.seal('secret', 'a');
      expect(() => secrets.open(sealed, 'b')).toThrow();
      const [version, kid, nonce, ciphertext = '', tag] = sealed.split('.');
      const changed = `${ciphertext.startsWith('0') ? '1' : '0'}${ciphertext.slice(1)}`;
      expect(() => secrets.open([version, kid, nonce, changed, tag].join('.'), 'a')).toThrow();
    });
    it('tells whether two texts are equal, of whatever lengths', () => {
      expect(secrets.equal('token', 'token')).toBe(true);
      expect(secrets.equal('token', 'tokem')).toBe(false);
      expect(secrets.equal('token', 'tok')).toBe(false);
    });
  });
};
