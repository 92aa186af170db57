import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

import { codeOf } from '../../../../domain/values/error.ts';
import { newSigningSecret } from '../../../node/secrets.ts';
import type { CliProcess } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';

const listenState = z.object({
  /** Takes the place of a subscription's id in what is sent. */
  id: z.guid(),
  secret: z.string(),
  /** The place behind the last event that was answered with 2xx. Null is the oldest event. */
  cursor: z.string().nullable(),
  /** Only events from this time on are sent. */
  since: z.string().nullable(),
});

export type ListenState = z.output<typeof listenState>;

interface Route {
  readonly server: string;
  readonly storeId: string;
  readonly target: string;
}

/** The file of a route, by the XDG base directory specification. */
export const stateFile = (env: CliProcess['env'], { server, storeId, target }: Route): string => {
  const home = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state');
  const name = createHash('sha256').update([server, storeId, target].join('\n')).digest('hex').slice(0, 32);
  return join(home, 'tenon', 'listen', `${name}.json`);
};

export const newState = (): ListenState => ({ id: randomUUID(), secret: newSigningSecret(), cursor: null, since: null });

/** Null when there is none yet. Throws a CommandFailure when the file is damaged. */
export const readState = (path: string): ListenState | null => {
  try {
    return listenState.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    // The cause is left out: its text may quote the secret.
    throw new CommandFailure(`${path} is not a valid state file of tenon listen. Fix it or remove it.`);
  }
};

/** Replaces the file as a whole, on the disk when it returns, readable by its owner only. */
export const writeState = (path: string, state: ListenState): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${String(process.pid)}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(state)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
};

const isAlive = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signalled.
    return codeOf(error) === 'EPERM';
  }
};

/** The process that a lock file names, if it still runs. A killed one leaves its file behind. */
const holderOf = (path: string): number | null => {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
};

/** Two listeners with one state would send each event twice. Returns the function that removes the lock. */
export const lockState = (state: string): (() => void) => {
  const path = `${state}.lock`;
  const holder = holderOf(path);
  if (holder !== null) {
    throw new CommandFailure(
      `Process ${String(holder)} already forwards these events. If it does not, remove ${path}.`,
      EXIT.refused,
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, String(process.pid), { mode: 0o600 });
  return () => {
    rmSync(path, { force: true });
  };
};
