export { manualClock } from '../../src/adapters/memory/clock.ts';
export type { ManualClock } from '../../src/adapters/memory/clock.ts';
