import { manualClock } from '../memory/clock.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { clockContract } from './clock.contract.ts';

clockContract('memory', () => {
  const clock = manualClock();
  return {
    clock,
    wait: () => {
      clock.advance(1);
    },
  };
});

clockContract('node', () => ({
  clock: systemClock,
  wait: () => {
    const until = performance.now() + 2;
    while (performance.now() < until);
  },
}));
