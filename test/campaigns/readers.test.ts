import { expect, it } from 'vitest';

import { runCampaign } from './readers/campaign.ts';
import { UNINSTALLED, WRITES } from './readers/writes.ts';

it('a short campaign of readers beside writers on three nodes finds no stale answer', async () => {
  const { judge, writes, cache } = await runCampaign({ seed: 1, reads: 20_000 });
  expect(judge.violations).toEqual([]);
  expect(judge.judged).toBe(20_000);
  expect([...writes.keys()].sort()).toEqual([...Object.keys(WRITES), UNINSTALLED].sort());
  expect([...judge.statuses.keys()].sort()).toEqual(['200', '304', '401', '404']);
  expect(judge.overlapping).toBeGreaterThan(1_000);
  expect(Math.min(cache.hits, cache.misses)).toBeGreaterThan(1_000);
}, 300_000);
