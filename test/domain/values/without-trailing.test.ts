import { expect, it } from 'vitest';

import { withoutTrailing } from '../../../src/domain/values/without-trailing.ts';

it.each([
  ['http://x/media//', '/', 'http://x/media'],
  ['shop.example.', '.', 'shop.example'],
  ['a..b', '.', 'a..b'],
  ['...', '.', ''],
  ['', '.', ''],
])('%s without trailing %s: %s', (text, character, rest) => {
  expect(withoutTrailing(text, character)).toBe(rest);
});
