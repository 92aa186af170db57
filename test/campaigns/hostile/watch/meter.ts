import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import { built } from '../../../support/built.ts';

/** Measures the inside of a server: see test/campaigns/hostile/inside/meter.ts. */
export interface Meter {
  /** Settings for the server, and other modules of this checkout to load. */
  env(modules?: readonly string[]): Record<string, string>;
  /**
   * The longest time in milliseconds for which the server blocked its event loop since the last
   * reading.
   */
  longestDelayMs(): Promise<number>;
  collectGarbage(): Promise<void>;
}

export const createMeter = (): Meter => {
  const path = join(tmpdir(), `meter-${randomUUID()}.sock`);
  const ask = async (question: string): Promise<number> => {
    const socket = connect(path);
    try {
      socket.write(`${question}\n`);
      const [answer] = (await once(createInterface(socket), 'line')) as [string];
      // The moment that the question itself took is counted with the next.
      return Number(answer);
    } finally {
      socket.destroy();
    }
  };
  return {
    env: (modules = []) => {
      const paths = ['test/campaigns/hostile/inside/meter.ts', ...modules].map((module) =>
        join(built(), module.replace(/ts$/, 'js')),
      );
      return { METER_SOCKET: path, NODE_OPTIONS: paths.map((module) => `--import ${module}`).join(' ') };
    },
    longestDelayMs: () => ask('read'),
    collectGarbage: async () => {
      await ask('collect');
      // Clients do not cause the delay of this garbage collection, so it is measured and ignored.
      await pause(50);
      await ask('read');
    },
  };
};
