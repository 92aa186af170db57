import { describe, expect, it } from 'vitest';

import { ConnectionLost, isOutage } from '../../src/domain/unavailable.ts';

const lost = new ConnectionLost(new Error('ECONNRESET'));

describe('an error reports an outage', () => {
  it('where it is one, or was caused by one', () => {
    for (const error of [
      lost,
      new Error('not read', { cause: lost }),
      new Error('a', { cause: new Error('b', { cause: lost }) }),
    ])
      expect(isOutage(error)).toBe(true);
  });
  it.each([
    ['another error', new Error('no')],
    ['what is not an error', 'The connection was lost'],
    ['an outage that a bug made', new ConnectionLost(new RangeError('no'))],
    ['a bug that an outage met', new TypeError('no', { cause: lost })],
    ['a bug between', new Error('a', { cause: new SyntaxError('b', { cause: lost }) })],
  ])('but not %s', (_, error) => {
    expect(isOutage(error)).toBe(false);
  });
});

it('a lost connection says so, and why', () => {
  expect(lost).toMatchObject({ name: 'ConnectionLost', message: 'The connection was lost', cause: new Error('ECONNRESET') });
});
