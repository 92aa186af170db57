import { describe, expect, it } from 'vitest';

import { parseDomain } from '../../../src/domain/identity/store.ts';

describe('a store’s domain', () => {
  it.each([
    ['localhost', 'localhost'],
    ['Shop.Example.COM', 'shop.example.com'],
    ['a-b.c3.test', 'a-b.c3.test'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
    [`${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}a`],
  ])('%s is kept as %s', (text, domain) => {
    expect(parseDomain(text)).toBe(domain);
  });
  it.each([
    '',
    'shop.test:4000',
    'https://shop.test',
    'shop.test/',
    '.test',
    'shop..test',
    'shop.test.',
    '-a.test',
    'a-.test',
    'a b.test',
    'bücher.test',
    'shop.test\n',
    'shop\0.test',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(126)}aa`,
  ])('%j is not a host name without a port', (text) => {
    expect(parseDomain(text)).toBeNull();
  });
});
