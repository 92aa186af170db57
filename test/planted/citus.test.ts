import { describe } from 'vitest';

import { findsPlanted, times } from '../campaigns/faults/planted.ts';
import { citusAvailable } from '../support/citus-available.ts';

describe.skipIf(!citusAvailable)('on Citus', () => {
  findsPlanted([['lease-on-worker', 'delivered after removal', times(4, 'terminate')]], 4_000, true);
});
