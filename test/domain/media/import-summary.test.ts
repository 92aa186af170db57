import { expect, it } from 'vitest';

import { firstErrorOf } from '../../../src/domain/media/import-summary.ts';

const ready = { errorCode: null, error: null };
const failed = { errorCode: 'too_large', error: 'The file is too large.' } as const;

it('the first error of an import is that of the first item that failed', () => {
  const gone = { errorCode: 'timeout', error: 'The file took too long.' } as const;
  expect(firstErrorOf([ready, failed, gone])).toEqual({ code: 'too_large', message: 'The file is too large.' });
});
it('an import without a failed item has no error', () => {
  for (const items of [[], [ready, ready]]) expect(firstErrorOf(items)).toBeNull();
});
