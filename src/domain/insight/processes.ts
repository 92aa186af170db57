/** Seconds between two heartbeats of a process. */
export const BEAT_SECONDS = 5;
/** A process that was not seen for this long is gone, or hangs. */
export const LIVE_SECONDS = 60;
/** A process that was not seen for this long is forgotten. */
export const FORGET_SECONDS = 86_400;

/** `all` and `worker` do the background work. */
export type ProcessRole = 'all' | 'api' | 'worker';

/** Background work that a process does again and again. */
export interface RecurringTask {
  readonly name: string;
  readonly everySeconds: number;
  /** Since it last succeeded, or since the process began. */
  readonly secondsAgo: number;
}

export interface RunningProcess {
  readonly id: string;
  /** Host and process id, for people. */
  readonly name: string;
  readonly role: ProcessRole;
  readonly version: string;
  /** The names of SECRET_KEYS, first the one that is to seal. */
  readonly keys: readonly string[];
  /** The name of the key that it seals with now. */
  readonly sealing: string;
  readonly tasks: readonly RecurringTask[];
}

export interface SeenProcess extends RunningProcess {
  /** Since its first heartbeat. */
  readonly secondsOld: number;
  readonly secondsUnseen: number;
  /** True after the process said that it ends. */
  readonly ended: boolean;
}

export interface SeenProcesses {
  /** Sorted by start, the oldest first. */
  readonly seen: readonly SeenProcess[];
  /** Processes of a version are connected that says nothing of itself, as during an upgrade. */
  readonly older: boolean;
}

export const liveProcesses = (seen: readonly SeenProcess[]): readonly SeenProcess[] =>
  seen.filter(({ secondsUnseen, ended }) => !ended && secondsUnseen < LIVE_SECONDS);

/**
 * Returns the key that a process seals with: the first of its own that each live process knows, so that a new key seals
 * nothing that another process cannot open. Where the processes have no key in common, it is its first.
 */
export const sealingKey = (own: readonly string[], live: readonly Pick<RunningProcess, 'keys'>[]): string => {
  const key = own.find((kid) => live.every(({ keys }) => keys.includes(kid))) ?? own[0];
  if (key === undefined) throw new Error('A process needs a key.');
  return key;
};

const works = ({ role }: Pick<RunningProcess, 'role'>): boolean => role !== 'api';

/** A task may take minutes, as a purge of a large queue does. */
const LATE_SECONDS = 300;
const LATE_TIMES = 5;

export interface WorkState {
  /** Live processes that do the background work; null where processes of an older version may do it. */
  readonly workers: number | null;
  /** For how long no worker has been seen; null where one lives, may live, or nothing runs. */
  readonly secondsWithout: number | null;
  /** Tasks of live workers that have not succeeded on any of them for far longer than they should take, with the seconds. */
  readonly lateTasks: readonly { readonly name: string; readonly seconds: number }[];
}

/** True when all of the background work is done, as far as is known. */
export const isWorking = ({ secondsWithout, lateTasks }: WorkState): boolean => secondsWithout === null && lateTasks.length === 0;

const without = (seen: readonly SeenProcess[]): number | null => {
  const unseen = seen.filter(works).map(({ secondsUnseen }) => secondsUnseen);
  const ages = liveProcesses(seen).map(({ secondsOld }) => secondsOld);
  if (ages.length === 0) return null;
  return unseen.length > 0 ? Math.min(...unseen) : Math.max(...ages);
};

/** Judges the background work of the whole server by the reports of its processes. */
export const workState = ({ seen, older }: SeenProcesses): WorkState => {
  const live = liveProcesses(seen.filter(works));
  const latest = new Map<string, { readonly seconds: number; readonly every: number }>();
  for (const { tasks, secondsUnseen } of live) {
    for (const { name, everySeconds, secondsAgo } of tasks) {
      const seconds = secondsAgo + secondsUnseen;
      if (seconds < (latest.get(name)?.seconds ?? Infinity)) latest.set(name, { seconds, every: everySeconds });
    }
  }
  const late = [...latest].filter(([, { seconds, every }]) => seconds > LATE_SECONDS + LATE_TIMES * every);
  return {
    workers: live.length > 0 || !older ? live.length : null,
    secondsWithout: live.length > 0 || older ? null : without(seen),
    lateTasks: late.map(([name, { seconds }]) => ({ name, seconds })),
  };
};
