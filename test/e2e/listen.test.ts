import { it } from 'vitest';

import { DISTURBANCES, expectWhole, listenThrough } from '../support/listen-kills.ts';

// test/campaigns/listen-kills.test.ts is the long form.
it('tenon listen loses and repeats nothing when the server and itself are stopped and killed', async () => {
  expectWhole(await listenThrough(60, DISTURBANCES), DISTURBANCES);
});
