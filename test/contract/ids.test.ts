import { expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { timeOrderedIds } from '../../src/adapters/node/ids.ts';
import { idsContract } from './ids.contract.ts';

idsContract('memory', sequentialIds);
idsContract('node', () => timeOrderedIds(systemClock));
idsContract('node, on a stopped clock', () => timeOrderedIds(manualClock()));

it('node: an id tells the millisecond it was made in', () => {
  const clock = manualClock(Date.UTC(2026, 10, 21));
  const id = timeOrderedIds(clock).next();
  expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(clock.now());
});

it('node: later ids sort after earlier ones though the clock goes back', () => {
  const clock = manualClock();
  const ids = timeOrderedIds(clock);
  const before = ids.next();
  clock.advance(-60_000);
  expect(ids.next() > before).toBe(true);
});
