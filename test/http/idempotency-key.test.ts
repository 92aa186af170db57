import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route } from '../../src/adapters/http/route-declaration.ts';
import { appRoutes } from '../../src/adapters/http/routes.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { ask } from '../support/raw.ts';

const NOWHERE = '019a0000-0000-7000-8000-00000000dead';
/** A body for every route that needs a key; fields of other routes are ignored. */
const BODY = JSON.stringify({
  products: [{ id: NOWHERE }],
  variants: [{ id: NOWHERE }],
  items: [{ sourceUrl: 'https://images.example.com/a.png', productId: NOWHERE }],
});
/** A cursor is sealed, and another text each time. */
const withoutCursor = (body: string): string => body.replace(/"(next|feed)":"[\w-]+"/, '"$1":"sealed"');
/** Bytes on the wire, where no library lets the text be written. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const BAD: readonly (readonly [string, readonly string[]])[] = [
  ['missing', []],
  ['empty', ['']],
  ['blank', ['   ']],
  ['of 256 characters', ['k'.repeat(256)]],
  ['of 256 characters and blanks around them', [` ${'k'.repeat(256)} `]],
  ['in latin-1', ['cl\xe9']],
  ['in UTF-8', [utf8('clé')]],
  ['of an emoji', [utf8('🦊')]],
  ['with a tab', ['a\tb']],
  ['sent twice', ['one', 'two']],
  ['sent twice alike', ['same', 'same']],
  ['sent twice, once blank', ['one', '']],
];

const GOOD: readonly (readonly [string, string])[] = [
  ['of 255 characters', 'k'.repeat(255)],
  ['of 255 characters and blanks around them', `  ${'l'.repeat(255)}  `],
  ['of one character', 'a'],
  ['of every character from 0x20 to 0x7E', String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 0x20 + n))],
  ['with a comma, which does not make a list', 'one, two'],
];

describe('Idempotency-Key', () => {
  const required = appRoutes.filter(({ idempotent }) => idempotent);
  let server: OpenApp;
  let store: TestStore;
  let token: string;
  /** All routes of an installation share its keys, so each has one of its own here. */
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore();
    token = await server.token(await server.anApp(store));
    for (const { path } of required) tokens.set(`POST ${path}`, await server.token(await server.anApp(store)));
  });
  afterAll(async () => {
    await server.close();
  });

  const send = (line: string, keys: readonly string[], body = BODY) => {
    const fixed = [
      `Host: ${store.domain}`,
      `Authorization: Bearer ${tokens.get(line) ?? token}`,
      'Content-Type: application/json',
    ];
    return ask(server.url, [`${line} HTTP/1.1`, ...fixed, ...keys.map((key) => `Idempotency-Key: ${key}`)], body);
  };
  const records = async () => (await server.database.query('SELECT 1 FROM idempotency_records', [])).length;
  const ignored = appRoutes.filter(({ idempotent }) => !idempotent);
  const each = <T extends readonly unknown[]>(routes: readonly Route[], rows: readonly T[]) =>
    routes.flatMap(({ method, path }) => rows.map((row) => [`${method.toUpperCase()} ${path}`, ...row] as const));

  it('Idempotency-Key is required on POST /apps/catalog/products/bulk and POST /apps/media/imports', () => {
    const paths = required.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual(expect.arrayContaining(['post /apps/catalog/products/bulk', 'post /apps/media/imports']));
  });

  /** No header may hold it, so it is refused before any route is found. */
  const control = [['with DEL', ['a\x7fb']]] as const;
  it.each(each(required, [...BAD, ...control]))(
    '400 {error} on %s when it is %s, and no key is used up',
    async (line, _what, keys) => {
      const before = await records();
      const answer = await send(line, keys);
      expect([answer.status, Object.keys(JSON.parse(answer.body) as object)]).toEqual([400, ['error']]);
      expect(await records()).toBe(before);
    },
  );

  it.each(each(required, GOOD))('200 or 202, then the replay, on %s when it is %s', async (line, _what, key) => {
    const first = await send(line, [key]);
    const again = await send(line, [key.trim()]);
    const done = line.endsWith('/imports') ? 202 : 200;
    expect([first.status, first.headers['idempotent-replay']]).toEqual([done, undefined]);
    expect([again.status, again.headers['idempotent-replay'], again.body]).toEqual([done, 'true', first.body]);
  });

  it.each(each(ignored, [...BAD, ...GOOD.map(([what, key]) => [what, [key]] as const)]))(
    'On other app routes the header is ignored: %s, %s',
    async (line, _what, keys) => {
      const before = await records();
      const path = line.replace(':id', NOWHERE).replaceAll(/:\w+/g, 'x');
      const without = await send(path, []);
      for (let n = 0; n < 2; n += 1) {
        const answer = await send(path, keys);
        expect([answer.status, withoutCursor(answer.body)]).toEqual([without.status, withoutCursor(without.body)]);
        expect(answer.headers).not.toHaveProperty('idempotent-replay');
      }
      expect(await records()).toBe(before);
    },
  );
});
