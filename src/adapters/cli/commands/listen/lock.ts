import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { CommandFailure, EXIT } from '../../failure.ts';
import { codeOf } from '../../../../domain/values/error.ts';

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
