import type { Place } from '../../place.ts';
import type { Check, KeptRefusal, LoggedMethod, LoggedRefusal } from '../../insight/refused-request.ts';

/** A refusal as the log shows it. Times are ISO 8601 in UTC with milliseconds. */
export interface RefusalFilter {
  readonly installationId?: string | undefined;
  readonly status?: number | undefined;
  readonly check?: Check | undefined;
  readonly reason?: string | undefined;
  readonly method?: LoggedMethod | undefined;
  /** The route with its method, or its path alone. */
  readonly route?: string | undefined;
  /** The earliest arrival, in milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** The refusals of one app on one route with one status for one reason. */
export interface RefusalGroup {
  readonly newest: LoggedRefusal;
  /** How many there are, with those that are not in the log. */
  readonly count: number;
  /** When the oldest of them arrived. */
  readonly since: string;
  /**
   * Trend of the same requests: 24 steps of equal length, from the oldest to the newest refusal
   * that was grouped.
   */
  readonly trend: readonly number[];
}

export interface RefusalGroups {
  readonly items: readonly RefusalGroup[];
  readonly isComplete: boolean;
}

export interface RequestLog {
  /**
   * Writes the refusals. Writes nothing twice when it is called again with the same refusals. Writes
   * nothing of a store that was erased meanwhile. Finds the store of a refusal without a store by its
   * host. Keeps ten of these refusals for each reason
   * where no store has the host, and counts the others as left out.
   */
  write(refusals: readonly KeptRefusal[]): Promise<void>;
  /**
   * Returns at most `take` refusals of the store, newest first, from behind the place. Returns only
   * refusals that match every filter. Returns null when the store does not exist.
   */
  list(
    storeId: string,
    filter: RefusalFilter,
    from: { readonly after: Place | null; readonly take: number },
  ): Promise<readonly LoggedRefusal[] | null>;
  /**
   * Returns at most `take` groups of the newest `read` refusals of the store, those with the newest
   * refusal first. Groups only refusals that match every filter. Counts each group in 24 steps
   * of time, from the oldest refusal that was grouped to the newest. Is complete when fewer than `read`
   * refusals match, in fewer than `take` groups. Returns null when the store does not exist.
   */
  groups(
    storeId: string,
    filter: RefusalFilter,
    limits: { readonly read: number; readonly take: number },
  ): Promise<RefusalGroups | null>;
  /**
   * Returns the refusal of the store, and one of no store by NO_STORE. Returns null when the log does
   * not have it.
   */
  get(storeId: string, id: string): Promise<LoggedRefusal | null>;
  /** Deletes at most `limit` refusals that are older than `days` days, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
}
