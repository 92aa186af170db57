import { describe, expect, it } from 'vitest';

import type { Operator } from '../../../src/domain/identity/operator.ts';
import { countsUp, operatorOf, verifiedEmail } from '../../../src/domain/identity/sign-in-method.ts';

it.each([
  [1, 0, true],
  [7, 6, true],
  [0, 0, true],
  [6, 6, false],
  [5, 6, false],
  [0, 1, false],
])('a passkey whose counter is %i after %i counts up: %s', (counter, before, isNew) => {
  expect(countsUp(counter, before)).toBe(isNew);
});

describe('the operator of an account', () => {
  const account = { issuer: 'i', subject: 's', email: 'ada@example.com', isEmailVerified: true };
  const ada: Operator = {
    id: 'ada',
    name: 'Ada',
    email: account.email,
    role: 'viewer',
    storeIds: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
  };

  it('is found by an address that the provider has verified', () => {
    expect(verifiedEmail(account)).toEqual({ ok: true, value: account.email });
    expect(verifiedEmail({ ...account, email: null })).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('did not send your email address') as string,
    });
    expect(verifiedEmail({ ...account, isEmailVerified: false })).toMatchObject({
      message: expect.stringContaining('has not verified ada@example.com') as string,
    });
  });
  it('is the only one with the address', () => {
    expect(operatorOf('a', [ada])).toEqual({ ok: true, value: ada });
    expect(operatorOf('a', [])).toMatchObject({
      message: expect.stringContaining('No operator has the email address a.') as string,
    });
    expect(operatorOf('a', [ada, ada])).toMatchObject({ message: expect.stringContaining('Several operators') as string });
  });
});
