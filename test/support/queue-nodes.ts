import { manualClock } from '../memory/clock.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';

/** World of a queue's contract. */
export interface QueueWorld<Queue> {
  /** Another node of the same installation. */
  node(): Promise<Queue>;
  /** Makes jobs due that are due within this many seconds. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

interface Closing {
  close(): Promise<void>;
}

/** All nodes share a queue in memory. */
export const inMemory = <Queue extends Closing & { run(): Promise<void> }>(open: (clock: Clock) => Queue): QueueWorld<Queue> => {
  const clock = manualClock();
  const queue = open(clock);
  return {
    node: () => Promise.resolve(queue),
    pass: (seconds) => {
      clock.advance(seconds * 1000);
      return queue.run();
    },
    close: () => queue.close(),
  };
};

/** Nodes over a server, whose time passes by itself. */
export const overServer = <Queue extends Closing>(
  open: () => Promise<Queue>,
  closeServer: () => Promise<void>,
): QueueWorld<Queue> => {
  const nodes: Queue[] = [];
  return {
    node: async () => {
      const node = await open();
      nodes.push(node);
      return node;
    },
    pass: () => Promise.resolve(),
    close: async () => {
      for (const node of nodes) await node.close();
      await closeServer();
    },
  };
};
