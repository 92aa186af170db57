import { expect, it } from 'vitest';

import { Runs } from '../../src/adapters/bullmq/runs.ts';

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('a request %i microtasks after the start of a run causes another run', async (ticks) => {
  const runs = new Runs();
  let count = 0;
  void runs.run('key', async () => {
    count += 1;
    await Promise.resolve();
  });
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
  const taken = runs.again('key');
  await runs.settled();
  expect(count).toBe(taken ? 2 : 1);
  expect(runs.size).toBe(0);
});
