import { FORGET_SECONDS, type RunningProcess } from '../../../src/domain/insight/processes.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Processes } from '../../../src/domain/ports/insight/processes.ts';
import { table, type MemoryState } from '../state.ts';

interface ProcessRow extends RunningProcess {
  readonly startedAt: number;
  readonly seenAt: number;
  readonly ended: boolean;
}

export const processes = (state: MemoryState, clock: Clock): Processes => {
  const rows = () => table<ProcessRow>(state, 'processes');
  const known = (): ProcessRow[] => [...rows().values()].filter(({ seenAt }) => seenAt > clock.now() - FORGET_SECONDS * 1000);
  return {
    beat: async (process) => {
      const now = clock.now();
      rows().set(process.id, { ...process, startedAt: rows().get(process.id)?.startedAt ?? now, seenAt: now, ended: false });
    },
    list: async () => ({
      seen: known()
        .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
        .map(({ startedAt, seenAt, ...process }) => ({
          ...process,
          secondsOld: (clock.now() - startedAt) / 1000,
          secondsUnseen: (clock.now() - seenAt) / 1000,
        })),
      older: false,
    }),
    leave: async (id) => {
      const row = rows().get(id);
      if (row) rows().set(id, { ...row, seenAt: clock.now(), ended: true });
    },
  };
};
