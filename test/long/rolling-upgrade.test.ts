import { describe, expect, it } from 'vitest';

import { hasCommit, RELEASES } from '../support/releases.ts';
import { openUpgrade, PATIENCE_MS, stop } from '../support/upgrade.ts';

/** Repetitions of each kind of operation, in each state of the nodes. */
const TIMES = 2;

describe.each(RELEASES)('from $version, node by node under load', (release) => {
  // A shallow clone does not have the commit of the release.
  it.skipIf(!hasCommit(release))(
    'each answer is right, and each write is in the feed and delivered',
    { timeout: PATIENCE_MS },
    async () => {
      const upgrade = await openUpgrade(release);
      try {
        const [first, second] = await Promise.all([upgrade.startOld(), upgrade.startOld()]);
        const traffic = await upgrade.openTraffic(first);
        traffic.use(first, second);
        traffic.begin();
        await traffic.more(TIMES);
        const third = await upgrade.startPresent();
        traffic.use(first, second, third);
        await traffic.more(TIMES);
        traffic.use(second, third);
        // Nothing is on its way to the node that stops.
        await traffic.more(1);
        expect(await stop(first)).toBe(0);
        await traffic.more(TIMES);
        const fourth = await upgrade.startPresent();
        traffic.use(third, fourth);
        await traffic.more(1);
        expect(await stop(second)).toBe(0);
        await traffic.more(TIMES);
        await traffic.end();

        await traffic.expectAll();
        expect(await upgrade.violated(third)).toEqual([]);
      } finally {
        await upgrade.close();
      }
    },
  );
});
