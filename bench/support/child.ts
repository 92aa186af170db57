import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { built } from '../../test/support/built.ts';
import { profiling } from './profile.ts';

/** A process of the bench's own that answers one message with one. */
export interface Child {
  readonly pid: number;
  ask<Answer>(message: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts `bench/<path>`; rejects a question when the process ends instead of answering. */
export const startChild = (path: string, env: Readonly<Record<string, string>> = {}): Child => {
  const { PATH = '', HOME = '' } = process.env;
  const profile = profiling();
  const child = fork(join(built(), 'bench', path.replace(/\.ts$/, '.js')), {
    execArgv: [...profile.args],
    env: { PATH, HOME, ...profile.env, ...env },
  });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    ask: <Answer>(message: object) =>
      new Promise<Answer>((resolve, reject) => {
        const fail = (): void => {
          reject(new Error(`${path} ended`));
        };
        child.once('exit', fail);
        child.once('message', (answer) => {
          child.off('exit', fail);
          resolve(answer as Answer);
        });
        child.send(message);
      }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
