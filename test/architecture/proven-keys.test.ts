import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

/** Each makes a key of those whose credentials it has judged, or is called with the caller that was found by them. */
const JUDGES = [
  'src/adapters/http/serving/admit/admit-developer.ts',
  'src/application/identity/check-client.ts',
  'src/domain/identity/caller.ts',
];

/** Returns true if the text makes a key of a holder, by the function or by a type assertion. */
const makesKeys = (text: string): boolean => /\bprovenKey\(|\bas ProvenKey\b/.test(text);

it('only what judges credentials makes the key of a holder, so no other counts under it', () => {
  const makers = sourceFiles('src').filter((file) => file !== 'src/domain/identity/rate-limit.ts' && makesKeys(textOf(file)));
  expect(makers).toEqual(JUDGES);
});

it.each(["limit('token-client', provenKey(body.clientId))", "limit('token-client', body.clientId as ProvenKey)"])(
  'a planted %s is found',
  (planted) => {
    expect(makesKeys(planted)).toBe(true);
  },
);
