import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

import { compiledMain, runMain, type MainProcess } from './main-process.ts';

export const BUILT = [...compiledMain(), 'start'];

export interface Starts {
  /** DATA_DIR of all starts without a separate one. */
  readonly dataDir: string;
  run(env?: Readonly<Record<string, string>>, command?: readonly string[]): MainProcess;
  /** Asserts that the start ends with 1 and one line, and returns that. */
  fails(env: Readonly<Record<string, string>>, command?: readonly string[]): Promise<string>;
}

/** Starts of Tenon with one data directory, which all end with the tests of the file. */
export const startsOfThisFile = (): Starts => {
  let dataDir = '';
  const runs: MainProcess[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tenon-start-'));
  });
  afterAll(async () => {
    await Promise.all(runs.map((made) => made.stop()));
    await rm(dataDir, { recursive: true, force: true });
  });
  const run: Starts['run'] = (env = {}, command = BUILT) => {
    const made = runMain({ env: { DATA_DIR: dataDir, ...env }, command });
    runs.push(made);
    return made;
  };
  return {
    get dataDir() {
      return dataDir;
    },
    run,
    fails: async (env, command) => {
      const made = run(env, command);
      const code = await made.ended;
      // A first start also reports its waits on standard error.
      const lines = made
        .err()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('Making a database'));
      if (code !== 1 || lines.length !== 1) throw new Error(`ended with ${String(code)}, and said: ${made.err()}`);
      return lines[0] ?? '';
    },
  };
};
