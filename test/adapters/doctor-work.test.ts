import { expect, it } from 'vitest';

import { checkBreakers, checkDue, checkWorkers } from '../../src/adapters/wiring/doctor/work-checks.ts';
import type { SeenProcess } from '../../src/domain/insight/processes.ts';
import { MAX_QUEUED_COUNTED, type QueueFigures } from '../../src/domain/ports/webhooks/delivery-repository.ts';

const counting = (figures: Partial<QueueFigures>) => ({
  figures: () => Promise.resolve({ queued: 0, waitingEvents: 0, oldestDueSeconds: 3, openBreakers: 0, ...figures }),
});

it.each([
  [0, '0 deliveries are queued'],
  [1, '1 delivery is queued'],
  [2, '2 deliveries are queued'],
  [MAX_QUEUED_COUNTED, 'at least 100000 deliveries are queued'],
])('the doctor says of %d queued deliveries: %s', async (queued, says) => {
  expect((await checkDue(counting({ queued }))).message).toBe(`${says}, the oldest has been due for 3 s`);
});

it.each([
  [1, 59, 'ok', '0 deliveries are queued and 1 event waits for its fan-out, the oldest has been due for 59 s'],
  [164, 299, 'warning', '0 deliveries are queued and 164 events wait for their fan-out, the oldest has been due for 299 s'],
  [164, 300, 'failed', '0 deliveries are queued and 164 events wait for their fan-out, the oldest has been due for 300 s'],
])('the doctor sees %d events that nobody fans out for %d s: %s', async (waitingEvents, oldestDueSeconds, result, message) => {
  expect(await checkDue(counting({ waitingEvents, oldestDueSeconds }))).toMatchObject({ result, message });
});

it.each([
  [0, 'no receiver fails'],
  [1, '1 receiver has failed ten times in a row'],
  [2, '2 receivers have failed ten times in a row'],
])('the doctor says of %d open breakers: %s', async (openBreakers, says) => {
  expect((await checkBreakers(counting({ openBreakers }))).message).toBe(says);
});

const a = (own: Partial<SeenProcess>): SeenProcess => ({
  ...{ id: 'a', name: 'host:1', role: 'all', version: '1', keys: ['k1'], sealing: 'k1', tasks: [] },
  ...{ secondsOld: 900, secondsUnseen: 1, ended: false },
  ...own,
});
const late = [{ name: 'The search for due deliveries', everySeconds: 20, secondsAgo: 499 }];

it.each<[string, string, readonly SeenProcess[]]>([
  ['skipped', 'no node runs now', [a({ ended: true })]],
  ['ok', '3 processes run, 2 of them workers', [a({}), a({ role: 'worker' }), a({ role: 'api' })]],
  ['warning', 'no worker has run for 20 s', [a({ role: 'api' }), a({ ended: true, secondsUnseen: 20 })]],
  ['failed', 'no worker has run for 60 s', [a({ role: 'api' }), a({ secondsUnseen: 60 })]],
  ['failed', 'no worker has run for 900 s', [a({ role: 'api' })]],
  ['failed', 'The search for due deliveries has not succeeded for 500 s', [a({ tasks: late })]],
])('the doctor sees the processes that run: %s, %s', async (result, message, seen) => {
  expect(await checkWorkers({ list: async () => ({ seen, older: false }) })).toMatchObject({ result, message });
});

it('the doctor judges no workers of an older version', async () => {
  const list = async () => ({ seen: [a({ role: 'api' })], older: true });
  expect(await checkWorkers({ list })).toMatchObject({ result: 'skipped', message: 'processes of an older version run' });
});
