import type { Expiry, FeedPlace } from '../../webhooks/feed-place.ts';

/** Who reads. The merchant, without an installation, sees every event of the store. */
export interface FeedReader {
  readonly storeId: string;
  readonly installationId: string | null;
  /** The types that are returned. Null is every type. */
  readonly types: readonly string[] | null;
}

export interface FeedQuery extends FeedReader {
  /** The place that the reader has passed. Null begins at the oldest. */
  readonly after: FeedPlace | null;
  /** The most events to return: 1 to 250. */
  readonly take: number;
  readonly resourceId?: string | undefined;
  /** The earliest time of an event, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Events before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

/** The merchant's query, newest first. */
export interface NewestQuery extends Pick<FeedQuery, 'storeId' | 'types' | 'take' | 'resourceId' | 'since' | 'until'> {
  /** The place that the reader has reached. Null begins at the newest. */
  readonly before: FeedPlace | null;
}

/** The most positions that one page of the newest events passes, and that `latest` looks at for the merchant. */
export const MAX_PASSED_BACK = 50_000;

export interface FeedPage {
  readonly kind: 'page';
  /** The frozen bodies of the events, in their order, each with its `traceparent` where it has one that the reader may know. */
  readonly bodies: readonly string[];
  /** The place that this page passes. */
  readonly next: FeedPlace;
  /** True if there is something to read behind `next`. */
  readonly more: boolean;
}

/** The feed does not continue from the place. `oldest` is the place from which the reader can continue. */
export interface FeedExpired extends Expiry {
  readonly kind: 'expired';
}

export interface FeedEvent {
  /** The body with all its data, and with its `traceparent` where it has one that the reader may know. */
  readonly body: string;
  readonly resourceId: string | null;
  /** The installation that caused it. Null is the merchant. */
  readonly origin: string | null;
  readonly requestId: string | null;
}

/**
 * A fan-out gives each event a position in the feed of its store. An event is in the feed no later
 * than its first delivery. The positions of a store have no gaps. The events of one resource are in
 * the order of their commits. A `ping` has no position. A slow transaction does not hold up the
 * events of others.
 */
export interface EventFeed {
  /**
   * Returns the events after the position, in the order of the feed, as their frozen bodies. Adds the
   * trace of an event to its body. Adds to an app's events only the traces of its own requests. Returns at most `take` events, and at most 4 MiB of bodies, but at least one event. Passes events that
   * the reader may not see or did not ask for. Passes at most 2000 positions for the merchant. Says to an app
   * that there is more only when it may see it. Begins at the oldest event when there is no position. Returns to an app only events since its installation. Returns
   * to an app of metaobject.* and media.* only its own events and the merchant's. Returns only
   * events of the resource and the time that were asked for. Returns `expired` with the reason
   * `not_kept` when an event after the position was purged. Returns `expired` with the reason
   * `history_changed` when the feed has lost events up to the position, and with the place up to which
   * it has not. Returns null when the store does not exist, or has no such installation.
   */
  read(query: FeedQuery): Promise<FeedPage | FeedExpired | null>;
  /**
   * Returns the merchant's events before the position, newest first, as their frozen bodies. Returns
   * at most `take` events, and at most 4 MiB of bodies, but at least one event. Returns only events
   * that match every filter. Ends a page early after 50,000 positions without a match, with the
   * position that it reached, unless one resource is asked for. Returns no more when no older event
   * can match. Begins at the newest event when there is no position. Leaves out events that were
   * placed after the feed has lost the position. Leaves out events that wait for their fan-out.
   * Returns null when the store does not exist.
   */
  readNewest(query: NewestQuery): Promise<FeedPage | null>;
  /**
   * Returns the bodies with all their data of the newest `count` events that the reader may see and asked
   * for, the newest first. Leaves out to an app the events before its installation. Leaves out events that
   * were placed more than `days` days ago. Looks for the merchant at the newest 50,000 positions. Returns at
   * most 2 MiB of bodies. Returns null when the store or the installation does not exist.
   */
  latest(reader: FeedReader, count: number, days: number): Promise<readonly string[] | null>;
  /** Returns the newest place. Returns null when the store does not exist. */
  newest(storeId: string): Promise<FeedPlace | null>;
  /**
   * Returns the event with all its data, also when a webhook has only its id. Returns to an app only
   * an event that `read` would return. Adds the trace as `read` does. Returns to the merchant any event of the store, a `ping`
   * included. Returns null for every other event.
   */
  get(reader: FeedReader, eventId: string): Promise<FeedEvent | null>;
  /**
   * Removes events from the feed that were placed more than `days` days ago, the oldest first.
   * Removes at most `limit` events, and returns how many.
   */
  purge(days: number, limit: number): Promise<number>;
}
