import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import {
  CREDENTIAL_PATTERNS,
  DEFAULT_TOKEN_SECONDS,
  formatCredential,
  parseCredential,
  randomBytesOf,
  type CredentialKind,
} from '../../../src/domain/identity/token.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KINDS = Object.keys(CREDENTIAL_PATTERNS) as CredentialKind[];
const bytesOf = (kind: CredentialKind, fill = 7): Uint8Array =>
  Uint8Array.from({ length: randomBytesOf(kind) }, (_, n) => (n * 31 + fill) % 256);

describe.each(KINDS)('Formats: %s', (kind) => {
  const credential = formatCredential(kind, bytesOf(kind));

  it('matches the published regex for all bytes', () => {
    for (const fill of [0, 255]) {
      const text = formatCredential(kind, new Uint8Array(randomBytesOf(kind)).fill(fill));
      expect(text).toMatch(CREDENTIAL_PATTERNS[kind]);
      expect(parseCredential(kind, text)).toBe(true);
    }
  });
  it('ends in the CRC32 of the rest in base62', () => {
    const value = Array.from(credential.slice(-6)).reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0);
    // zlib's crc32 came with Node 20.15.
    expect(value).toBe(crc32(credential.slice(0, -6)));
  });
  it('detects any one changed character', () => {
    for (let place = 0; place < credential.length; place += 1) {
      const changed = `${credential.slice(0, place)}${credential[place] === 'a' ? 'b' : 'a'}${credential.slice(place + 1)}`;
      expect(parseCredential(kind, changed)).toBe(false);
    }
  });
  it.each(['', 'tnn_', credential.slice(0, -1), `${credential}0`, `${credential}\n`, ` ${credential}`, credential.toUpperCase()])(
    'refuses %j',
    (text) => {
      expect(parseCredential(kind, text)).toBe(false);
    },
  );
  it('is not a credential of another kind', () => {
    for (const other of KINDS) expect(parseCredential(other, credential)).toBe(other === kind);
  });
  it('requires the exact number of bytes', () => {
    for (const length of [randomBytesOf(kind) - 1, randomBytesOf(kind) + 1])
      expect(() => formatCredential(kind, new Uint8Array(length))).toThrow(
        new RangeError(`A ${kind} takes ${randomBytesOf(kind)} random bytes.`),
      );
  });
  it('the published regex matches only the whole text', () => {
    for (const text of [`x${credential}`, `${credential}x`]) expect(text).not.toMatch(CREDENTIAL_PATTERNS[kind]);
  });
  it('encodes the bytes as one number in base62, the most significant first', () => {
    const text = formatCredential(kind, bytesOf(kind));
    const digits = text.slice(text.lastIndexOf('_') + 1, -6);
    const value = Array.from(digits).reduce((sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);
    expect(value).toBe(BigInt(`0x${Buffer.from(bytesOf(kind)).toString('hex')}`));
  });
});

describe('Formats', () => {
  it('at least 256 bits for secrets', () => {
    expect(randomBytesOf('clientSecret') * 8).toBeGreaterThanOrEqual(256);
    expect(randomBytesOf('accessToken') * 8).toBeGreaterThanOrEqual(256);
  });
  it('different bytes give different credentials', () => {
    expect(formatCredential('accessToken', bytesOf('accessToken', 1))).not.toBe(
      formatCredential('accessToken', bytesOf('accessToken', 2)),
    );
  });
  it('Limits: Access token lifetime, 3600 seconds', () => {
    expect(DEFAULT_TOKEN_SECONDS).toBe(3600);
  });
});
