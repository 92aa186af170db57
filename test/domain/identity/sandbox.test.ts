import { expect, it } from 'vitest';

import { callerKey } from '../../../src/domain/identity/caller.ts';
import { fullSandbox, MAX_SANDBOX_RECORDS, usedUp } from '../../../src/domain/identity/sandbox.ts';

it('a full sandbox store says what it has too many of', () => {
  expect(fullSandbox('entries', 1_000)).toMatchObject({
    code: 'conflict',
    message: 'A sandbox store has at most 1,000 entries. Reset it, or delete some.',
  });
});

const MAX_BYTES = 100 * 1024 * 1024;

it.each([
  [MAX_SANDBOX_RECORDS - 1, MAX_BYTES - 1, false],
  [MAX_SANDBOX_RECORDS, 0, true],
  [0, MAX_BYTES, true],
])('a sandbox store with %i records and %i bytes has used its budget: %s', (records, bytes, isUsedUp) => {
  const refusal = usedUp({ records, bytes });
  expect(refusal !== null).toBe(isUsedUp);
  if (refusal) expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringMatching(/Reset it with PUT/) as string });
});

it('the requests of an app count together in its sandbox stores, and by themselves in the store of a merchant', () => {
  const keyOf = (installationId: string, sandboxAppId: string | null) =>
    callerKey({ storeId: `of ${installationId}`, installationId, scopes: [], sandboxAppId });
  expect([keyOf('one', 'app'), keyOf('two', 'app'), keyOf('one', null)]).toEqual(['app', 'app', 'one']);
});
