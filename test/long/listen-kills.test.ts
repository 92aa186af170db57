import { it } from 'vitest';

import { DISTURBANCES, expectWhole, listenThrough } from '../support/listen-kills.ts';

it('tenon listen loses and repeats nothing of 1,000 events through 12 stops and kills', async () => {
  const disturbances = Array.from({ length: 3 }, () => DISTURBANCES).flat();
  expectWhole(await listenThrough(1_000, disturbances), disturbances);
}, 600_000);
