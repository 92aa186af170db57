import { expect, it } from 'vitest';

import { redactingToken } from '../../../src/domain/identity/redact.ts';

it('a token that an operator chose is cut from a text, also where it is percent-encoded', () => {
  const redact = redactingToken('p.ä-\n$');
  expect(redact('is p.ä-\n$ or P.ä-\n$')).toBe('is [cut] or [cut]');
  expect(redact('%70%2e%c3%a4%2d%0a%24')).toBe('[cut]');
  expect(redact('%70.%C3%A4-%0A$')).toBe('[cut]');
  expect(redact('pxä-\n$')).toBe('pxä-\n$');
});
