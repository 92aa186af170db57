import { createFeedSignal as memorySignal } from '../../memory/webhooks/feed-signal.ts';
import type { SignalWorld } from '../feed-signal.contract.ts';
import { aWatchingApp } from '../feed-signal-worlds.ts';
import { openMemory } from './open-memory.ts';

export const memorySignalWorld = async (): Promise<SignalWorld> => {
  const { ids, state, ports } = openMemory();
  return {
    ports,
    node: () => memorySignal(state),
    anApp: () => aWatchingApp(ports, ids),
    connections: async () => 0,
    close: async () => undefined,
  };
};
