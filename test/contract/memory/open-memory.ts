import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState } from '../../memory/state.ts';
import { KEY_SECONDS } from '../identity-worlds.ts';

/** Ports over an empty state, with what time and ids come from. */
export const openMemory = () => {
  const clock = manualClock();
  const ids = sequentialIds();
  const state = createMemoryState();
  return { clock, ids, state, ports: createMemoryPorts({ clock, ids, idempotencyTtlSeconds: KEY_SECONDS }, state) };
};
