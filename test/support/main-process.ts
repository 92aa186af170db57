import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';

import { withTimeout } from '../../src/adapters/startup/deadline.ts';
import { root } from '../architecture/source.ts';

export interface MainProcess {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Exit status. */
  readonly ended: Promise<number | null>;
  /**
   * Waits until it has written this, to either. Throws, with all that it wrote, when it ends without
   * or says it not within 60 s. Returns its standard output.
   */
  says(text: string): Promise<string>;
  /** Sends the signal, SIGTERM by default. Returns its exit status. Throws, with all that it wrote, when it has not ended within 40 s. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface MainOptions {
  /** Settings; of the tests' own environment it gets PATH and HOME alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command with its arguments; `tenon start`, compiled, by default. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** Together below the time limit of a test, so that the test says what the process wrote instead. */
const SAYS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 40_000;

/** Returns the promised value. Fails with the output of the process when the time is over first. */
const within = <Result>(ms: number, promise: Promise<Result>, otherwise: () => string): Promise<Result> =>
  withTimeout(ms, promise, () => {
    throw new Error(otherwise());
  });

/** Starts in a quarter of the time that the source takes, which `npm start` of the tests runs. */
export const compiledMain = (): readonly string[] => [process.execPath, join(inject('built'), 'src/main.js')];

/** Starts Tenon as a person does, on free ports. */
export const runMain = ({ env = {}, command = [...compiledMain(), 'start'], cwd = root }: MainOptions = {}): MainProcess => {
  const { PATH = '', HOME = '' } = process.env;
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, env: { PATH, HOME, PORT: '0', ADMIN_PORT: '0', ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    says: (text) => {
      const said = new Promise<string>((resolve, reject) => {
        const look = (): void => {
          if (out.includes(text) || err.includes(text)) resolve(out);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        void ended.then((code) => {
          reject(new Error(`ended with ${String(code)}: ${err}`));
        });
        look();
      });
      return within(SAYS_WITHIN_MS, said, () => `did not say ${text}, but: ${out}${err}`);
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return within(ENDS_WITHIN_MS, ended, () => `did not end, but said: ${out}${err}`);
    },
  };
};
