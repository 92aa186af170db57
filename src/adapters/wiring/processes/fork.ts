import cluster from 'node:cluster';

import type { End } from './replacement.ts';

export interface Forked {
  readonly pid: number;
  /** Never throws. Nothing arrives at a process that has ended. */
  send(frame: object): void;
  kill(): void;
}

export interface ForkedEvents {
  readonly onFrame: (frame: unknown) => void;
  readonly onEnd: (how: Pick<End, 'code' | 'signal'>) => void;
}

export type Fork = (events: ForkedEvents) => Forked;

/**
 * Forks this program with more settings. The processes accept connections from one shared socket
 * themselves. The round robin of node:cluster would pass each connection on: it loses one that a
 * process has been handed and dies before it takes, and it spins when all have their most.
 */
export const forkOf =
  (env: Readonly<Record<string, string>>): Fork =>
  ({ onFrame, onEnd }) => {
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const worker = cluster.fork(env);
    const forked = worker.process;
    let how: Pick<End, 'code' | 'signal'> | null = null;
    let isSilent = false;
    const end = (): void => {
      if (how !== null && isSilent) onEnd(how);
    };
    worker.on('message', onFrame);
    forked.once('disconnect', () => {
      isSilent = true;
      end();
    });
    forked.once('exit', (code, signal) => {
      how = { code, signal };
      end();
    });
    forked.on('error', (error) => {
      if (forked.pid === undefined) onEnd({ code: null, signal: error.message });
    });
    return {
      pid: forked.pid ?? 0,
      // With a callback, a send that fails emits no error. The end of the process is reported.
      send: (frame) => {
        if (forked.connected) forked.send(frame, undefined, undefined, () => undefined);
      },
      kill: () => {
        forked.kill('SIGKILL');
      },
    };
  };

/** The process that forked this one; null if none did. */
export interface Parent {
  send(frame: object): Promise<void>;
  onFrame(listener: (frame: unknown) => void): void;
}

/** When the parent ends, node:cluster ends this process at once. */
export const parent = (): Parent | null => {
  if (!cluster.isWorker) return null;
  return {
    send: (frame) =>
      new Promise((resolve) => {
        if (process.connected) process.send?.(frame, undefined, undefined, () => resolve());
        else resolve();
      }),
    onFrame: (listener) => {
      process.on('message', listener);
    },
  };
};
