import { describe, expect, it } from 'vitest';

import { checkRedirectUrl, manifestScopes, pendingScopes, sortedScopes } from '../../../src/domain/identity/platform-app.ts';

describe('the scopes of a platform app', () => {
  it('are those that it requires and those that are optional, sorted, each once', () => {
    expect(
      manifestScopes({ scopes: ['write_products', 'read_orders'], optionalScopes: ['read_content', 'read_orders'] }),
    ).toEqual(['read_content', 'read_orders', 'write_products']);
  });
  it('are pending where they are required and not granted', () => {
    const app = { scopes: ['read_orders', 'write_products'] as const };
    expect(pendingScopes(app, [])).toEqual(['read_orders', 'write_products']);
    expect(pendingScopes(app, ['read_orders'])).toEqual(['write_products']);
    expect(pendingScopes(app, ['read_orders', 'write_products', 'read_content'])).toEqual([]);
  });
  it('are not pending where a write scope includes them, and the other way round they are', () => {
    expect(pendingScopes({ scopes: ['read_products'] }, ['write_products'])).toEqual([]);
    expect(pendingScopes({ scopes: ['write_products'] }, ['read_products'])).toEqual(['write_products']);
  });
  it('are stored sorted, each once, and none is required and optional', () => {
    const given = {
      scopes: ['write_products', 'read_orders', 'read_orders'],
      optionalScopes: ['read_orders', 'write_content', 'read_content'],
    };
    expect(sortedScopes(given as Parameters<typeof sortedScopes>[0])).toEqual({
      scopes: ['read_orders', 'write_products'],
      optionalScopes: ['read_content', 'write_content'],
    });
  });
});

describe('a redirect URL', () => {
  const messageOf = (text: string) => checkRedirectUrl(text)?.message ?? null;
  const SPELLING = 'A redirect URL must be an absolute URL in the spelling that browsers use.';
  const SECURE = 'A redirect URL must be an https URL. On localhost, it may be an http URL.';

  it.each([
    'https://app.example.com/installed',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com:8443/a/b?via=tenon&x=%20',
    'https://xn--bcher-kva.de/',
    'http://localhost:3000/installed',
    'http://127.0.0.1/installed',
    'http://[::1]:3000/installed',
    'https://localhost/',
  ])('may be %s', (text) => {
    expect(checkRedirectUrl(text)).toBeNull();
  });

  it.each([
    '',
    'installed',
    '/installed',
    '//app.example.com/',
    'https://',
    'HTTPS://app.example.com/',
    'https://App.example.com/',
    'https://app.example.com:443/',
    'https://app.example.com/a/../b',
    'https://app.example.com/a//../b',
    'https://app.example.com\\@evil.example/',
    'https://bücher.de/',
    'https://app.example.com/ b',
    ' https://app.example.com/',
    'https://app.example.com/\n',
    'https:app.example.com/',
    'https:///app.example.com/',
    'https://0x7f.1/',
    'https://app.example.com?x',
  ])('in another spelling is refused: %j', (text) => {
    expect(messageOf(text)).toBe(SPELLING);
  });

  it.each([
    'http://app.example.com/',
    'http://localhost.example.com/',
    'http://xlocalhost/',
    'http://127.0.0.11/',
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://app.example.com/',
    'ftp://localhost/',
    'myapp://installed/',
  ])('must be https, or http on the own machine: %s', (text) => {
    expect(messageOf(text)).toBe(SECURE);
  });

  it.each(['https://user@app.example.com/', 'https://:secret@app.example.com/', 'https://user:secret@app.example.com/'])(
    'has no credentials: %s',
    (text) => {
      expect(messageOf(text)).toBe('A redirect URL must not contain credentials.');
    },
  );

  it.each(['https://app.example.com/#', 'https://app.example.com/#state', 'https://app.example.com/?a#b'])(
    'has no fragment, not even an empty one: %s',
    (text) => {
      expect(messageOf(text)).toBe('A redirect URL must not have a fragment.');
    },
  );

  it.each(['x', 'http://app.example.com/', 'https://user@app.example.com/', 'https://app.example.com/#'])(
    'that is refused is bad input: %s',
    (text) => {
      expect(checkRedirectUrl(text)).toMatchObject({ ok: false, code: 'invalid' });
    },
  );
});
