import { readFile } from 'node:fs/promises';
import { vi } from 'vitest';

/** Whether the process is stopped. */
export const isFrozen = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).includes(') T ');

/** Stops the process (SIGSTOP) until it gets a SIGCONT; resolves once it does nothing any more. */
export const freeze = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  await vi.waitUntil(() => isFrozen(pid), { timeout: 60_000, interval: 5 });
};
