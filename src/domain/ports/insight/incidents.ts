import type { NoticeChannel } from '../../insight/notice-rules.ts';
import type { IncidentKind } from '../../insight/incident-rules.ts';
import type { OpenIncident, Signal } from '../../insight/incidents.ts';
import type { Place } from '../../place.ts';

export interface NewIncident extends Pick<Signal, 'storeId' | 'kind' | 'subject' | 'name' | 'since' | 'impact' | 'cause'> {
  readonly id: string;
}

/** An incident that ended before it was recorded. */
export interface PastIncident extends NewIncident {
  /** ISO 8601 in UTC with milliseconds. */
  readonly endedAt: string;
}

export interface IncidentKey {
  readonly storeId: string;
  readonly id: string;
}

/** An incident as people see it. Times are ISO 8601 in UTC with milliseconds. */
export interface Incident {
  readonly id: string;
  /** Null for the whole server. */
  readonly storeId: string | null;
  /** The domain of the store. */
  readonly store: string | null;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly name: string;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** The most that it was. */
  readonly impact: number;
  readonly cause: string;
}

export interface IncidentFilter {
  readonly status?: 'open' | 'ended' | undefined;
}

export interface Incidents {
  /** Returns what is open in all stores and of the whole server, with the seconds since a node has seen it. */
  open(): Promise<readonly OpenIncident[]>;
  /**
   * Records the incidents, each since its time. Records nothing twice: an incident of the same subject that is open
   * stays as it is. Records nothing of a store that does not exist. Notes that each is to be reported over the channels.
   */
  begin(incidents: readonly NewIncident[], channels?: readonly NoticeChannel[]): Promise<void>;
  /** Keeps the impact of an incident that is open if it is greater than before. Notes that a node has seen it now. */
  see(seen: readonly (IncidentKey & { readonly impact: number })[]): Promise<void>;
  /**
   * Ends the incidents now. Ends one that only nodes can see at the time when one saw it last. Leaves one that has ended
   * as it is. Notes that the end is to be reported over the channels that were tried for the beginning. Takes the notice of a
   * beginning back that was not tried.
   */
  end(keys: readonly IncidentKey[]): Promise<void>;
  /**
   * Records an incident of the whole server that is over, and returns true. Records nothing and returns false when one of
   * the same kind is recorded for a part of its time, also when two nodes record at once. Notes that its end
   * is to be reported over the channels.
   */
  record(past: PastIncident, channels?: readonly NoticeChannel[]): Promise<boolean>;
  /**
   * Returns at most `take` incidents of the store, those that began last first, from behind the place. Returns those of
   * the whole server by NO_STORE, and those of all for null. Returns only open or only ended ones, if the filter says so.
   * Returns null when the store does not exist.
   */
  list(
    storeId: string | null,
    filter: IncidentFilter,
    from: { readonly after: Place | null; readonly take: number },
  ): Promise<readonly Incident[] | null>;
  /** Deletes at most `limit` incidents that ended more than `days` days ago, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
}
