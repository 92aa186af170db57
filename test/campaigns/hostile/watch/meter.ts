import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import { built } from '../../../support/built.ts';

/** What is asked of the inside of a server: see test/campaigns/hostile/inside/meter.ts. */
export interface Meter {
  /** Settings for the server, with other modules of this checkout that it shall load. */
  env(modules?: readonly string[]): Record<string, string>;
  /** Milliseconds for which the event loop stood still at most since the last look, by its own doing. */
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
      // The collection stands in the way of everybody, but is none of a client's doing: its delay is measured, and forgotten.
      await pause(50);
      await ask('read');
    },
  };
};
