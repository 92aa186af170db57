import { hostname } from 'node:os';
import type { Logger } from 'pino';

import { BEAT_SECONDS, liveProcesses, sealingKey, type ProcessRole } from '../../../domain/insight/processes.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import { isOutage } from '../../../domain/unavailable.ts';
import { repeat } from '../../node/background.ts';
import { VERSION } from '../../startup/version.ts';

/** Membership of this process among those of the server. */
export interface Membership {
  /** The name of the key that new secrets and places are sealed with: the first that all live processes know. */
  sealing(): string;
  /** Begins to report a task that is repeated. The function that it returns notes a success. */
  repeats(name: string, everySeconds: number): () => void;
  leave(): Promise<void>;
}

export interface Member {
  readonly role: ProcessRole;
  /** The names of SECRET_KEYS, in their order. */
  readonly keys: readonly string[];
}

interface Task {
  readonly name: string;
  readonly everySeconds: number;
  succeededAt: number;
}

/** Joins the processes of the server, and says every few seconds that it lives, until it leaves. */
export const joinProcesses = async (
  { processes, ids }: Pick<Ports, 'processes' | 'ids'>,
  member: Member,
  log: Logger,
): Promise<Membership> => {
  const self = { ...member, id: ids.next(), name: `${hostname()}:${String(process.pid)}`, version: VERSION };
  const tasks: Task[] = [];
  // Nothing is sealed before the first look at the others.
  let sealing = sealingKey(self.keys, []);
  const beat = async (): Promise<void> => {
    const now = performance.now();
    const reported = tasks.map(({ succeededAt, ...task }) => ({ ...task, secondsAgo: (now - succeededAt) / 1000 }));
    await processes.beat({ ...self, sealing, tasks: reported });
  };
  const look = async (): Promise<void> => {
    await beat();
    const common = sealingKey(self.keys, liveProcesses((await processes.list()).seen));
    if (common === sealing) return;
    sealing = common;
    await beat();
  };
  await look();
  log.info({ key: sealing }, 'This process seals with the first key that all live processes know.');
  const stop = repeat(BEAT_SECONDS, look, (error) => {
    if (!isOutage(error)) log.error({ err: error }, 'The heartbeat failed. It will be tried again.');
  });
  return {
    sealing: () => sealing,
    repeats: (name, everySeconds) => {
      const task: Task = { name, everySeconds, succeededAt: performance.now() };
      tasks.push(task);
      return () => {
        task.succeededAt = performance.now();
      };
    },
    leave: async () => {
      await stop();
      // A process that goes while the database is away is seen no more after a minute.
      await processes.leave(self.id).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
      });
    },
  };
};
