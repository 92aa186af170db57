import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Reads /proc after the name of the process, which may itself contain spaces and brackets. */
const statOf = async (pid: number): Promise<readonly string[]> => {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

export const isFrozen = async (pid: number): Promise<boolean> => (await statOf(pid))[0] === 'T';

/** True for a stopped process, and for an ended process whose parent does not know it yet. */
const isIdle = async (pid: number): Promise<boolean> => /[TZ]/.test((await statOf(pid))[0] ?? '');

/** Stops the process (SIGSTOP) until it gets a SIGCONT; resolves once it does nothing any more. */
export const freeze = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  while (!(await isIdle(pid))) await pause(5);
};

/** The processes that this one has started and that still run. */
export const childrenOf = async (pid: number): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // A process that ends meanwhile has no parent.
  const parents = await Promise.all(
    pids.map((one) =>
      statOf(one).then(
        ([, parent]) => parent,
        () => undefined,
      ),
    ),
  );
  return pids.filter((_, at) => parents[at] === String(pid));
};

/**
 * Stops the processes for as long as the work takes. Whether they were stopped to its end. They
 * continue in any case.
 */
export const whileFrozen = async (pids: readonly number[], work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await Promise.all(pids.map(freeze));
    await work();
    return (await Promise.all(pids.map(isIdle))).every(Boolean);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
};

/** Stops a server with all processes that it has started. Whether they were stopped to the end. */
export const freezeServer = async (pid: number, milliseconds: number): Promise<boolean> => {
  // First, so that it starts no more of them.
  await freeze(pid);
  return whileFrozen([...(await childrenOf(pid)), pid], () => pause(milliseconds));
};
