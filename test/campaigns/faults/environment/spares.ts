import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

import type { Report } from '../node/commands.ts';

/** A process that has loaded everything and waits for its order. */
export interface Spare {
  /** No two of a campaign have the same. */
  readonly number: number;
  readonly child: ChildProcess;
  /** File for its log. */
  readonly log: string;
}

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

export interface Spares {
  take(): Promise<Spare>;
  close(): Promise<void>;
}

let numbers = 0;

/** Spares end with the campaign, also a stopped one. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

const spawnSpare = ([program, ...args]: Command, folder: string): Spare => {
  numbers += 1;
  const { PATH = '', HOME = '' } = process.env;
  const log = join(folder, `node-${numbers}.log`);
  const file = openSync(log, 'w');
  const child = spawn(program, args, {
    env: { PATH, HOME },
    // Files that it writes beside the database go with its log.
    cwd: folder,
    stdio: ['ignore', file, file, 'ipc', 'pipe'],
  });
  closeSync(file);
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return { number: numbers, child, log };
};

const loaded = async ({ child, log }: Spare): Promise<void> => {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a process of the campaign did not load: see ${log}`);
  });
  const reported = once(child, 'message').then(([report]) => {
    if ((report as Report).kind !== 'loaded') throw new Error(`a process of the campaign did not load: see ${log}`);
  });
  await Promise.race([reported, ended]);
  ended.catch(() => undefined);
};

/** Keeps this many processes loaded. Taking one starts the next. */
export const openSpares = (command: Command, folder: string, count: number): Spares => {
  let closed = false;
  const add = () => {
    const spare = spawnSpare(command, folder);
    const ready = loaded(spare);
    ready.catch(() => undefined);
    return { spare, ready };
  };
  const waiting = Array.from({ length: count }, add);
  return {
    take: async () => {
      const first = waiting.shift();
      if (!first || closed) throw new Error('there are no processes any more');
      waiting.push(add());
      await first.ready;
      return first.spare;
    },
    close: async () => {
      closed = true;
      await Promise.all(
        waiting.map(async ({ spare: { child } }) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
      );
    },
  };
};
