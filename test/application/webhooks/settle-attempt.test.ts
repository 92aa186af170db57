import { expect, it } from 'vitest';

import { settleAttempt, type SettledAttempt } from '../../../src/application/webhooks/delivery/settle-attempt.ts';

const ATTEMPT: SettledAttempt['attempt'] = {
  storeId: 'store',
  deliveryId: 'delivery',
  number: 1,
  startedAt: 0,
  durationMs: 1,
  waitedMs: null,
  status: 410,
  address: null,
  error: null,
  response: null,
  signature: null,
  gap: null,
  verdict: { kind: 'failed' },
};
const HEALTH = {
  storeId: 'store',
  subscriptionId: 's',
  failures: 1,
  failingForSeconds: 0,
  probeInSeconds: null,
  deactivates: true,
} as const;

it.each([
  ['with the health that it changed', HEALTH, [HEALTH]],
  ['alone where it changed none', null, []],
])('an attempt is recorded %s, and then the fan-out of its events is requested', async (_how, health, recorded) => {
  const steps: unknown[] = [];
  const settle = settleAttempt(
    {
      settle: async (...given) => {
        await Promise.resolve();
        steps.push(given);
        return ['store'];
      },
    },
    { fanOut: async (storeId) => void steps.push(storeId) },
  );
  await settle({ attempt: ATTEMPT, health });
  expect(steps).toEqual([[[ATTEMPT], recorded], 'store']);
});
