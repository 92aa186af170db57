import { it } from 'vitest';

import { DISTURBANCES, expectWhole, listenThrough } from '../support/listen-kills.ts';

it('tenon listen loses and repeats nothing of 2,000 events through 24 stops and kills', async () => {
  const disturbances = Array.from({ length: 6 }, () => DISTURBANCES).flat();
  expectWhole(await listenThrough(2_000, disturbances), disturbances);
}, 600_000);
