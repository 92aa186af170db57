import { expect, it } from 'vitest';

import { redirectTo } from '../../../src/domain/identity/install-request.ts';

const redirectUrl = 'https://app.test/installed';

it('the merchant returns to the address with the answer and the state', () => {
  expect(redirectTo({ redirectUrl, state: 'xyz' }, { store: 'shop.test', installation: 'id' })).toBe(
    'https://app.test/installed?store=shop.test&installation=id&state=xyz',
  );
});

it('an address that has a query keeps it', () => {
  expect(redirectTo({ redirectUrl: `${redirectUrl}?via=tenon`, state: 'x' }, { error: 'access_denied' })).toBe(
    'https://app.test/installed?via=tenon&error=access_denied&state=x',
  );
});

it('a state that the app did not give is not returned, and an empty one is', () => {
  expect(redirectTo({ redirectUrl, state: null }, { store: 'shop.test' })).toBe('https://app.test/installed?store=shop.test');
  expect(redirectTo({ redirectUrl, state: '' }, { store: 'shop.test' })).toBe(
    'https://app.test/installed?store=shop.test&state=',
  );
});

it('a state of any text changes nothing but itself', () => {
  const state = 'a&store=evil.test#x="\u00e9 +%26';
  const url = new URL(redirectTo({ redirectUrl, state }, { store: 'shop.test' }));
  expect([url.origin, url.hash, url.searchParams.getAll('store'), url.searchParams.get('state')]).toEqual([
    'https://app.test',
    '',
    ['shop.test'],
    state,
  ]);
});
