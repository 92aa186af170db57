import type { ChildProcess } from 'node:child_process';

import { StartFailure } from '../startup/start-failure.ts';
import type { Account } from './account.ts';

export const tailOf = (child: ChildProcess, onText?: (tail: string) => void): (() => string) => {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4000);
      onText?.(tail);
    });
  }
  return () => tail.trim().split('\n').slice(-5).join(' | ');
};

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<string>;
  readonly tail: () => string;
}

/**
 * Starts the server and waits until it accepts connections. Throws a StartFailure with its last
 * lines when it ends instead.
 */
export const launch = async (
  binary: string,
  cluster: string,
  account: Account,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> => {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = account.spawn(binary, ['-D', cluster, ...args], ['ignore', 'ignore', 'pipe']);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal ?? `status ${String(code)}`);
    });
  });
  let tail = (): string => '';
  const ready = new Promise<void>((resolve, reject) => {
    tail = tailOf(child, (text) => {
      if (text.includes('ready to accept connections')) resolve();
    });
    void exited.then((how) => {
      reject(new StartFailure(`The embedded PostgreSQL did not start (${how}): ${tail()}`));
    });
  });
  await ready;
  return { child, exited, tail };
};
