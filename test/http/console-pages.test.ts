import { describe, expect, it } from 'vitest';
import request from 'supertest';
import { z } from 'zod';

import { createConsole } from '../../src/adapters/http/console/console.ts';
import type { ConsolePageFiles } from '../../src/adapters/http/console/pages.ts';
import { memoryBackend, memoryHttpApp } from '../support/http-app.ts';

const SCRIPT = Buffer.from('console.log(1);');
const files: ConsolePageFiles = {
  page: '<!doctype html><title>Tenon console</title>',
  assets: new Map([['main-AAAA.js', { type: 'text/javascript; charset=utf-8', bytes: SCRIPT, gzipped: Buffer.from('small') }]]),
};
/** Without sessions and routes, which have tests of their own. */
const withFiles = (load: () => Promise<ConsolePageFiles>) => {
  const never = () => Promise.reject(new Error('not for pages'));
  const cookie = { read: () => null, set: () => undefined, clear: () => undefined };
  const options = {
    base: '/console',
    files: load,
    errors: 'problem' as const,
    guard: { trusts: () => false, isOwnHost: () => false },
    cookie,
    desk: { proof: z.never(), signIn: never, describe: never, signOut: never },
    api: { routes: [], backend: memoryBackend(), pathOf: (rest: string) => rest },
  };
  return memoryHttpApp({ routes: [], errors: 'problem', console: createConsole(options) });
};
const http = withFiles(async () => files);

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

describe('the pages of the console', () => {
  it.each(['/console', '/console/', '/console/deliveries', '/console/deliveries/one?status=Failed'])(
    'GET %s is the page, which nobody keeps',
    async (path) => {
      const answer = await request(http).get(path);
      expect([answer.status, answer.text]).toEqual([200, files.page]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()') as string,
      });
    },
  );

  it('an asset is kept for a year, and is compressed for those who take it', async () => {
    const path = '/console/assets/main-AAAA.js';
    const plain = await request(http).get(path).set('Accept-Encoding', 'identity');
    expect([plain.status, plain.text]).toEqual([200, SCRIPT.toString()]);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': POLICY,
      vary: 'Accept-Encoding',
    });
    const compressed = await request(http).head(path).set('Accept-Encoding', 'br, gzip');
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': '5' });
  });

  it.each(['/console/assets/main-BBBB.js', '/console/assets/..%2F..%2Fpackage.json'])('GET %s: 404', async (path) => {
    const answer = await request(http).get(path);
    expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found', detail: 'File not found.' }]);
  });

  it.each(['/console', '/console/deliveries', '/console/assets/main-AAAA.js'])('POST %s: 405 with Allow', async (path) => {
    const answer = await request(http).post(path);
    expect([answer.status, answer.headers['allow'], answer.type]).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      'application/problem+json',
    ]);
    expect((await request(http).options(path)).status).toBe(204);
  });

  it.each(['/consoles', '/Console', '/apps/console'])('%s is not part of it', async (path) => {
    const answer = await request(http).get(path);
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([404, undefined]);
  });

  it('files that cannot be loaded are answered 500 without the cause', async () => {
    const broken = withFiles(() => Promise.reject(new Error('a secret')));
    const answer = await request(broken).get('/console');
    expect([answer.status, answer.text]).toMatchObject([500, expect.not.stringContaining('a secret')]);
  });
});
