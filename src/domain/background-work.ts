/** Work that a worker repeats, on any node. */
interface Repeated {
  /** The name in the log, in the heartbeat of the process and in `doctor`. */
  readonly task: string;
  /** The pause after each run. */
  readonly everySeconds: number;
}

export interface RepeatedJob extends Repeated {
  readonly run: () => Promise<unknown>;
  /** A worker also begins with it, because work was lost while no worker ran. */
  readonly runsAtStart?: true;
}

/** Work in batches of rows, until one is not full. */
export interface BatchJob extends Repeated {
  /** Works on at most `limit` rows. Resolves to how many. */
  readonly batch: (limit: number) => Promise<number>;
  /** The rest after a batch, as a multiple of its duration. By default, that of a purge. */
  readonly rest?: number;
}

/** Deletes at most `limit` rows that have expired. Resolves to how many. */
export type PurgeRows = (limit: number) => Promise<number>;

/** Period of a sweep, which requests the work that a crash or an emptied queue lost. */
export const SWEEP_SECONDS = 20;
export const PURGE_SECONDS = 60;
