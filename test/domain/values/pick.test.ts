import { expect, it } from 'vitest';

import { pick } from '../../../src/domain/values/pick.ts';

it('only the named fields are picked, in the given order', () => {
  expect(JSON.stringify(pick({ a: 1, b: null, c: 3 }, ['c', 'b']))).toBe('{"c":3,"b":null}');
});
