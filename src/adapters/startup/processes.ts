import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

import { poll } from '../../domain/retry.ts';
import { pause } from './deadline.ts';

const ps = async (pid: number, column: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', `${column}=`, '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim();
};

/** True while a process with that number runs, of any user. A zombie does not run any more. */
export const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(stat);
};

/**
 * A text that differs between two processes that had the same number one after the other. Empty
 * when the process does not exist.
 */
export const birthOf = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  if (stat === '') return ps(pid, 'lstart');
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  // Field 22, the ticks from boot to the start, counted after the name, which may itself contain
  // spaces and brackets.
  return `${boot.trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
};

/**
 * True when that process is the PostgreSQL server of the cluster: it runs in its data directory.
 */
export const servesCluster = async (pid: number, cluster: string): Promise<boolean> => {
  if (!(await isAlive(pid))) return false;
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${String(pid)}/cwd`).catch(() => undefined);
    if (folder !== undefined) return folder === cluster;
  }
  const command = await ps(pid, 'command');
  return command.includes('postgres') && command.includes(cluster);
};

/** Waits until the process is gone. False when it still exists after `milliseconds`. */
export const waitForEnd = async (pid: number, milliseconds: number): Promise<boolean> => {
  const deadline = Date.now() + milliseconds;
  const gone = async () => ((await isAlive(pid)) ? null : true);
  return (await poll(gone, { pause: () => pause(20), isOver: () => Date.now() > deadline })) !== null;
};
