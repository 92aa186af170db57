import type { RunningProcess, SeenProcesses } from '../../insight/processes.ts';

export interface Processes {
  /** Records that the process runs now, and replaces what it said before. */
  beat(process: RunningProcess): Promise<void>;
  /**
   * Returns what each process said last, with its age and how long it was not seen. Returns the oldest first. Forgets a
   * process that was not seen for a day.
   */
  list(): Promise<SeenProcesses>;
  /** Records that the process ends. Does nothing where there is no such process. */
  leave(id: string): Promise<void>;
}
