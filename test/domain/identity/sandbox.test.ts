import { expect, it } from 'vitest';

import { fullSandbox } from '../../../src/domain/identity/sandbox.ts';

it('a full sandbox store says what it has too many of', () => {
  expect(fullSandbox('entries', 1_000)).toMatchObject({
    code: 'conflict',
    message: 'A sandbox store has at most 1,000 entries. Reset it, or delete some.',
  });
});
