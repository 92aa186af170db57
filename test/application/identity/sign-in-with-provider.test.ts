import { beforeEach, expect, it } from 'vitest';

import { signInMethodUses } from '../../../src/application/identity/sign-in-methods.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const ORIGIN = { address: '203.0.113.7', agent: 'Firefox' };
const ADA = { issuer: 'https://login.example.com', subject: 'ada', email: 'ada@example.com', isEmailVerified: true };

let ports: MemoryWorld;
beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.operators.create({ id: ports.ids.next(), name: 'Ada', email: ADA.email, role: 'viewer', storeIds: null });
});

const signIn = async (changed: Partial<Ports> = {}) => {
  const uses = signInMethodUses({ ...ports, ...changed }, 'the-admin-token-of-the-tests');
  const attempt = uses.openAttempt('provider_sign_in', uses.beginAttempt('provider_sign_in').sealed);
  if (attempt === null) throw new Error('the attempt is not open');
  const signedIn = await uses.signInWithProvider(attempt, ADA, ORIGIN);
  if (!signedIn.ok) throw new Error(signedIn.message);
  return { ...signedIn.value, note: () => uses.noteProviderUse(signedIn.value.methodId) };
};

it('an account is new until its use is noted, so a sign-in that is interrupted before the audit log is reported by the next one', async () => {
  const first = await signIn();
  const second = await signIn();
  expect([first.newly, second.newly]).toEqual([ADA.email, ADA.email]);
  await second.note();
  expect((await signIn()).newly).toBeNull();
});

it('of two first sign-ins with one account at the same time, both start a session', async () => {
  await signIn();
  let isMissed = false;
  const late = {
    ...ports.signInMethods,
    // Reads the state before the other one connected the account.
    find: async (...key: Parameters<Ports['signInMethods']['find']>) => {
      if (isMissed) return ports.signInMethods.find(...key);
      isMissed = true;
      return null;
    },
  };
  const { session } = await signIn({ signInMethods: late });
  expect(session).toMatch(/^tnn_session_/);
  expect(isMissed).toBe(true);
});
