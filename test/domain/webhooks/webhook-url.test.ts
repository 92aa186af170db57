import { describe, expect, it } from 'vitest';

import { parseTarget } from '../../../src/domain/webhooks/webhook-url.ts';

const target = (text: string) => {
  const parsed = parseTarget(text);
  return parsed.ok ? parsed.value : parsed.message;
};

describe('a name of a local network', () => {
  it.each([
    'localhost',
    'printer',
    'a.localhost',
    'printer.local',
    'router.localdomain',
    'db.internal',
    'wiki.intranet',
    'nas.private',
    'mail.corp',
    'router.home',
    'home.arpa',
    'nas.home.arpa',
    'nas.lan',
    'localhost.',
  ])('%s is local', (name) => expect(target(`https://${name}/`)).toBe('url must not have a local host name.'));
  it.each(['example.com', 'local.example.com', 'mylocal.com', 'lan.example', 'arpa.home.example'])('%s is not', (name) =>
    expect(target(`https://${name}/`)).toEqual({ host: name, secure: true }),
  );
});

describe('the target of a URL', () => {
  it.each([
    ['https://hooks.example.com/x', { host: 'hooks.example.com', secure: true }],
    ['http://hooks.example.com/x', { host: 'hooks.example.com', secure: false }],
    ['https://Hooks.Example.com./x', { host: 'hooks.example.com', secure: true }],
    ['https://[2606:4700::1111]:8443/', { host: '[2606:4700::1111]', secure: true }],
    ['https://10.20.30.40/', { host: '10.20.30.40', secure: true }],
    ['https://hooks.example.com//x@y', { host: 'hooks.example.com', secure: true }],
    ['https://onion.example.com/', { host: 'onion.example.com', secure: true }],
  ])('%s', (text, value) => expect(target(text)).toEqual(value));
  it.each([
    ['a control character', 'https://hooks.example.com/\u0001', 'url must be an absolute URL.'],
    [
      'a name that ends in a local suffix and begins like an address',
      'https://1.2.3.4.local/',
      'url must not have a local host name.',
    ],
    ['a second URL after a scheme without slashes', 'https:hooks.example.com/?to=https://x.test', 'url must be an absolute URL.'],
    ['a name under .onion', 'https://a.b.onion/', 'url must have a host name of the public DNS.'],
    ['a name under .invalid', 'https://a.b.invalid/', 'url must have a host name of the public DNS.'],
    ["a label that begins with a '", "https://'hooks.example.com/", 'url must have a host name of the public DNS.'],
  ])('%s is refused', (_, text, fault) => expect(target(text)).toBe(fault));
  it.each(['', 'ftp://x.test/', 'https://a@x.test/', 'https://x.test:0/', 'https://localhost/', 'https://x.onion/'])(
    'the refusal of %j has the code of an invalid request',
    (text) => expect(parseTarget(text)).toMatchObject({ ok: false, code: 'invalid' }),
  );
  it('the host has at most 253 characters', () => {
    const host = (length: number): string => `${'a.'.repeat((length - 3) / 2)}com`;
    expect(target(`https://${host(253)}/`)).toEqual({ host: host(253), secure: true });
    expect(target(`https://${host(255)}/`)).toBe('url must have a host name of the public DNS.');
    expect(target(`https://a${host(253)}/`)).toBe('url must have a host name of the public DNS.');
  });
});
