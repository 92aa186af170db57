import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { createMemorySecrets } from '../memory/secrets.ts';
import { createSecrets } from '../../src/adapters/node/secrets.ts';
import { parseSecretKeys } from '../../src/adapters/startup/secret-keys.ts';
import { secretsContract } from './secrets.contract.ts';

const base64 = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const old = parseSecretKeys(`k1:${base64(1)}`);
const rotated = parseSecretKeys(`k2:${base64(2)}, k1:${base64(1)}`);

secretsContract('memory', () => ({
  secrets: createMemorySecrets(['k2', 'k1']),
  before: createMemorySecrets(['k1']),
  after: createMemorySecrets(['k2']),
}));
secretsContract('node', () => ({
  secrets: createSecrets(rotated),
  before: createSecrets(old),
  after: createSecrets(rotated.slice(0, 1)),
}));

describe('SECRET_KEYS', () => {
  it('the first key seals; what was sealed under an older one opens as long as that is there', () => {
    const sealed = createSecrets(old).seal('secret', 'a');
    expect(createSecrets(rotated).open(sealed, 'a')).toBe('secret');
    expect(createSecrets(rotated).seal('secret', 'a')).toMatch(/^v1\.k2\./);
    expect(() => createSecrets(rotated.slice(0, 1)).open(sealed, 'a')).toThrow('SECRET_KEYS does not open a secret of key k1');
  });
  it('a client secret hashed before the rotation matches after it', () => {
    const hash = createSecrets(old).hashClientSecret('secret');
    expect(createSecrets(rotated).hashClientSecret('secret')).not.toBe(hash);
    expect(createSecrets(rotated).matchesClientSecret('secret', [hash])).toBe(true);
  });
  it('tokens have the same SHA-256 under all keys', () => {
    expect(createSecrets(old).sha256('t')).toBe(createHash('sha256').update('t').digest('hex'));
  });
  it.each([
    '',
    'k1',
    `k1:${Buffer.alloc(31).toString('base64')}`,
    `:${base64(1)}`,
    `k.1:${base64(1)}`,
    `k1:${base64(1)},`,
    `k1:${base64(1)},k1:${base64(2)}`,
  ])('refuses "%s" with one line that does not have the key', (text) => {
    let message = '';
    try {
      parseSecretKeys(text);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(/^(?:entry \d|two keys) ?.*$/);
    expect(message).not.toContain(base64(1));
  });
});
