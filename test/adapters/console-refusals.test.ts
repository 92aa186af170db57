import { describe, expect, it } from 'vitest';

import { KEYED_ROUTES, ladderOf } from '../../console/pages/requests/ladder.ts';
import { missingScope, wordsOf } from '../../console/pages/requests/reasons.ts';
import { appRoutes } from '../../src/adapters/http/routes/app/index.ts';
import type { ClientRejection } from '../../src/application/identity/check-client.ts';
import type { TokenRejection } from '../../src/domain/identity/token.ts';

/** Each reason that the server notes beside a code. The compiler names one that is missing. */
const NOTED: Readonly<Record<TokenRejection | ClientRejection, true>> = {
  malformed: true,
  unknown_token: true,
  wrong_store: true,
  store_inactive: true,
  uninstalled: true,
  suspended: true,
  revoked: true,
  expired: true,
  unknown_client: true,
  wrong_secret: true,
};
const OF_ADMISSION = ['unknown_store', 'no_token', 'failed_tokens', 'uninstalled_meanwhile', 'replay'];

const isKnown = (refusal: Parameters<typeof wordsOf>[0]): boolean => !wordsOf(refusal).why.includes('answered with the code');
const nameOf = (route: (typeof appRoutes)[number]): string => `${route.method.toUpperCase()} ${route.path}`;

describe('the words of the Requests page', () => {
  it.each([...Object.keys(NOTED), ...OF_ADMISSION])('explains the reason %s', (reason) => {
    expect(isKnown({ reason, code: 'unauthenticated', check: 'token' })).toBe(true);
  });

  it('explains every refusal that a route of apps declares', () => {
    const codes = new Set(appRoutes.filter(({ access }) => access.kind === 'app').flatMap(({ refusals }) => refusals));
    // An app that is gone since it was admitted is refused as its token would be.
    const checkOf = (code: string) => (code === 'unauthenticated' ? 'token' : 'work');
    for (const code of codes) expect([code, isKnown({ reason: code, code, check: checkOf(code) })]).toEqual([code, true]);
  });

  it.each([
    ['store', 'invalid'],
    ['token', 'unauthenticated'],
    ['rate', 'rate_limited'],
    ['key', 'invalid'],
    ['body', 'invalid'],
    ['body', 'payload_too_large'],
    ['body', 'unsupported_media_type'],
    ['claim', 'idempotency_in_progress'],
    ['claim', 'idempotency_key_reused'],
    ['claim', 'idempotency_not_replayable'],
    ['schema', 'invalid'],
    ['schema', 'not_found'],
    ['work', 'internal_error'],
    ['work', 'unavailable'],
    ['work', 'rate_limited'],
  ] as const)('explains a refusal at %s with %s', (check, code) => {
    expect(isKnown({ reason: code, code, check })).toBe(true);
  });

  it('names the scope that is missing', () => {
    const refusal = { reason: 'needs write_products', code: 'forbidden', check: 'scope' } as const;
    expect(missingScope(refusal)).toBe('write_products');
    expect(wordsOf(refusal).name).toBe('Needs write_products');
  });

  it('falls back to the code where nothing is known', () => {
    expect(wordsOf({ reason: 'sideways', code: 'teapot', check: 'work' }).name).toBe('teapot');
  });
});

describe('the ladder of checks', () => {
  const states = (request: Parameters<typeof ladderOf>[0]): string[] =>
    ladderOf(request).map(({ check, state }) => `${check} ${state}`);

  it('knows which routes need an Idempotency-Key', () => {
    const keyed = appRoutes.filter(({ idempotent }) => idempotent).map(nameOf);
    expect([...KEYED_ROUTES].sort()).toEqual(keyed.sort());
  });

  it('passes the checks before the one that refused', () => {
    expect(states({ route: 'POST /apps/media/imports', check: 'key', reason: 'invalid' })).toEqual([
      'store passed',
      'token passed',
      'rate passed',
      'scope passed',
      'key refused',
      'body not reached',
      'claim not reached',
      'schema not reached',
      'work not reached',
    ]);
  });

  it('leaves out the checks that a route without a key and body does not need', () => {
    expect(states({ route: 'GET /apps/catalog/products', check: 'schema', reason: 'invalid' })).toEqual([
      'store passed',
      'token passed',
      'rate passed',
      'scope passed',
      'key not needed',
      'body not needed',
      'claim not needed',
      'schema refused',
      'work not reached',
    ]);
  });

  it('counts the address of a client before it reads who it is', () => {
    expect(states({ route: 'POST /apps/token', check: 'token', reason: 'wrong_secret' })).toEqual([
      'rate passed',
      'store passed',
      'body passed',
      'token refused',
    ]);
  });

  it('does not say that a token passed which was not looked up', () => {
    expect(states({ route: 'GET /apps/events', check: 'rate', reason: 'failed_tokens' }).slice(0, 3)).toEqual([
      'store passed',
      'token not reached',
      'rate refused',
    ]);
  });
});
