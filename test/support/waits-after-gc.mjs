// Run with --expose-gc: opens waits, collects the garbage, and writes how many of them ended. The
// argument names the way: `deadline` is ours, `any` is the pattern that lint refuses.
import { setTimeout as sleep } from 'node:timers/promises';

import { openDeadline } from '../../src/adapters/startup/deadline.ts';

const COUNT = 50;
const MS = 50;

// Held: only the wait itself may be collected.
const others = Array.from({ length: COUNT }, () => new AbortController());
/** @type {((other: AbortSignal) => AbortSignal) | undefined} */
const signalOf = {
  deadline: (/** @type {AbortSignal} */ other) => openDeadline(MS, other).signal,
  // eslint-disable-next-line no-restricted-properties -- the pattern that lint refuses, to show why.
  any: (/** @type {AbortSignal} */ other) => AbortSignal.any([other, AbortSignal.timeout(MS)]),
}[process.argv[2] ?? ''];

let ended = 0;
for (const { signal } of others) signalOf?.(signal).addEventListener('abort', () => (ended += 1));
await sleep(0);
globalThis.gc?.();
// The process ends after the timers of all that are still there.
await sleep(4 * MS);
process.stdout.write(JSON.stringify({ collected: globalThis.gc !== undefined, ended, of: others.length }));
