import ts from 'typescript';
import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/**
 * The rows of the customer's tables of states, errors and limits, and its numbered rules
 * (docs/specification/README.md, "Who wins"). Each row is in the title of a test. Cells that say
 * "not shown" are left out. Rows about deliveries belong to the tests of deliveries.
 */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  'Product status': ['States: Active, Draft, Archived'],
  'Idempotency key life cycle': [
    'unknown | request with the key | first use within 24 hours | running | request executes normally',
    'running | same key, same request again | original not finished | running | response 409 with header Retry-After: 1',
    'running | original finishes | status below 500 | finished | response is remembered',
    'running | original finishes | status 5xx | released | a retry executes the request again',
    'finished | same key, same request | | finished | original status and body returned with header Idempotent-Replay: true; nothing runs again',
    'finished | same key, different request | | finished | 422',
    'finished | same key, same request | original response larger than 256 KB | finished | 409 saying the work was done and cannot be replayed',
    'finished | 24 hours elapse | | unknown | the same key starts a new request',
  ],
  'Access token': [
    'valid | 3600 seconds elapse, revocation, uninstall, or store not active | invalid | API calls return 401 with empty body',
    'invalid | new token request with valid credentials | valid | new token issued; there is no refresh token',
  ],
  'Installation and subscriptions': [
    'installed, subscriptions active | uninstall of the app | uninstalled | all subscriptions of the installation are deactivated and removed',
    'subscription exists | DELETE of the subscription by its owner | removed',
  ],
  'POST /apps/webhooks/subscriptions, rules': [
    '1. url must be an absolute URL of at most 2048 characters and must not be a private address',
    "2. Each entry must be a known event type, compared case-insensitively, that the installation's scopes allow it to receive",
    'Event types under order.* need read_orders',
    '3. description, when given, has at most 256 characters',
    '4. No secret is sent',
    "the error text names the event and the missing scope, in the form 'This installation cannot receive: <event> (needs <scope>).'",
    '6. An empty eventTypes is refused',
  ],
  Errors: [
    '400 | subscription and bulk routes, list of subscriptions | {error: string} | validation failure; also a missing, blank or over-long Idempotency-Key',
    '400 | metaobject entry route | problem+json as above | validation failure',
    '401 | POST /apps/token | empty | wrong id or secret, app suspended, or app not installed on the store of this domain',
    '401 | API calls | empty | token expired or revoked, installation removed, or store not active',
    '403 | API calls | empty | the installation lacks the scope the operation needs',
    '404 | product, collection, metaobject, subscription delete | resource not found, or subscription not owned by the caller',
    '409 | idempotent routes | header Retry-After: 1 when the original is still running',
    '409 | idempotent routes | or original response larger than 256 KB, work done, do not retry',
    '422 | idempotent routes | same key used with a different request',
    '429 | any | rate limit exceeded; wait the number of seconds in Retry-After',
    'A product that fails is reported in results with its error and errorCode, and counted in failed',
  ],
  Limits: [
    'Access token lifetime | 3600 seconds | token',
    'url length | 2048 characters | subscription create',
    'description length | 256 characters | subscription create',
    'Idempotency-Key length | at most 255 characters | idempotent routes',
    'Idempotency key memory | 24 hours | idempotent routes',
    'Largest replayable original response | 256 KB | idempotent routes',
    'Retry-After while original runs | 1 second | idempotent routes',
    'Default take | 50 | collection products',
    'Idempotency-Key is required on POST /apps/catalog/products/bulk and POST /apps/media/imports',
    'On other app routes the header is ignored',
    'The query string is not part of',
    'a re-serialised body counts as a different request',
  ],
  Authentication: [
    'All three are shown once when the store creates the app itself',
    'POST /apps/token with grant_type client_credentials yields a bearer token. The token lives 3600 seconds. There is no refresh token',
    'API calls carry the header Authorization: Bearer <ACCESS_TOKEN>',
    'A write_ scope includes the matching read_ scope',
    'The scope field of the token response lists what is enforceable now. scopeNotYetEnforced lists granted scopes that no endpoint honours yet',
    'Keys for idempotency are scoped to the installation',
  ],
};

/** `it`, `test`, `describe`, and what `.each` makes of them. */
const declares = (callee: ts.Expression): boolean => /^(it|test|describe)\b/.test(callee.getText());

/** The texts of a call that declares tests: its title, and the rows of its `.each`. */
const textsOf = (node: ts.Node): string[] => {
  if (!ts.isCallExpression(node) || !declares(node.expression)) return [];
  const [first] = node.arguments;
  if (!first) return [];
  const texts: string[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isStringLiteralLike(part)) texts.push(part.text);
    else if (ts.isArrayLiteralExpression(part) || ts.isAsExpression(part)) ts.forEachChild(part, visit);
  };
  visit(first);
  return texts;
};

const titlesIn = (text: string): string[] => {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    titles.push(...textsOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true));
  return titles;
};

const quotes = (titles: readonly string[], row: string): boolean =>
  titles.some((title) => title.toLowerCase().includes(row.toLowerCase()));

const files = ['domain', 'application', 'contract', 'http', 'e2e'].flatMap((folder) => sourceFiles(`test/${folder}`));
const titles = files.flatMap((file) => titlesIn(textOf(file)));

it.each(Object.entries(ROWS))('%s: every row is quoted by the title of a test', (_section, rows) => {
  expect(rows.filter((row) => !quotes(titles, row))).toEqual([]);
});

it('titles and rows of `each` count as quotes; comments, bodies and other calls do not', () => {
  const quoted = [
    "it('a row', f);",
    "describe('a row and more', f);",
    "it.each([['a row', 1]] as const)('%s', f);",
    "test.each(['A row'])('x', f);",
  ];
  for (const text of quoted) expect(quotes(titlesIn(text), 'a row')).toBe(true);
  const not = ["// it('a row')", "it('x', () => { f('a row'); });", "it.each(rows)('x', () => ['a row']);", "say('a row');"];
  for (const text of not) expect(quotes(titlesIn(text), 'a row')).toBe(false);
});
