import { expect, it } from 'vitest';

import { runMain } from '../support/main-process.ts';

it('the case "guard" finds a request that delays others by 400 ms, and one that takes 150 MB', async () => {
  const planted = ['--preload', 'test/support/planted-stall.ts', '--operation', 'GET /apps/'];
  const campaign = runMain({
    command: [process.execPath, '--import', 'tsx', 'test/campaigns/hostile/index.ts', '--short', '--only', 'guard', ...planted],
  });
  const code = await campaign.ended;
  const found = [...campaign.out().matchAll(/^✗ (stall|memory): (\w+ \S+): /gm)].map(
    ([, kind, operation]) => `${kind} ${operation}`,
  );
  expect(code, `${campaign.out()}\n${campaign.err()}`).toBe(1);
  // The machine is everyone's: another request may be found to stall as well.
  expect(found).toEqual(
    expect.arrayContaining(['stall GET /apps/webhooks/subscriptions', 'memory GET /apps/media/imports/{id}']),
  );
}, 600_000);
