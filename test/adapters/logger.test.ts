import { expect, it } from 'vitest';

import { errorLine } from '../../src/adapters/node/logger.ts';

it('a line has the type, message, stack with causes and code of an error, and no properties that a library added', () => {
  const cause = new Error('refused');
  const error = Object.assign(new TypeError('lost', { cause }), { code: '57P01', client: { secretKey: 1 }, config: 'x' });
  const line = errorLine(error);
  expect(line).toEqual({
    type: 'TypeError',
    message: 'lost: refused',
    stack: expect.stringContaining('caused by: Error: refused') as string,
    code: '57P01',
  });
  expect(errorLine('text')).toBe('text');
  expect(errorLine(new AggregateError([error], 'several'))).toMatchObject({ message: 'several', errors: [line] });
});
