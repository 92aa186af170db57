import type { Caller } from '../../identity/caller.ts';
import type { FigureRange, PerClass } from '../../insight/figures.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';
import type { Check } from '../../insight/refused-request.ts';

/** Counts of a step, which begins at `at` (ISO 8601 in UTC with milliseconds). */
export interface FigureStep {
  readonly at: string;
  /** Deliveries that ended. */
  readonly deliveries: { readonly delivered: number; readonly failed: number; readonly dropped: number };
  readonly attempts: PerClass;
  /** Attempts by the bounds of the histogram. */
  readonly latency: readonly number[];
  /** First attempts by what passed since the commit of their events, by the bounds of its histogram. */
  readonly firstAttempt: readonly number[];
  /** Events that filters kept from subscriptions. */
  readonly filtered: number;
  /** Events that joined the delivery of another. */
  readonly gathered: number;
  readonly refusals: readonly { readonly check: Check; readonly reason: string; readonly count: number }[];
}

/** The calls of one installation in one minute, which begins at `at` (milliseconds since the epoch). A batch has one of each. */
export interface CallCounts {
  readonly storeId: string;
  readonly installationId: string;
  readonly at: number;
  /** By STATUS_CLASSES. `none`: the client left before the answer ended. */
  readonly answers: readonly number[];
  /** By the bounds of the histogram. Without those that take as long as the client asks. */
  readonly latency: readonly number[];
}

/** The calls of an installation in one step. */
export interface CallStep {
  readonly at: string;
  readonly answers: PerClass;
  readonly latency: readonly number[];
}

export interface Figures {
  /**
   * Returns what happened to the store in each step of the range, oldest first. Counts the attempts
   * that were recorded, by the class of their status and by their duration. Counts the first attempts by what passed since the events. Counts the deliveries
   * that ended, by outcome. Counts the events that a filter kept
   * from a subscription. Counts the events that joined the delivery of another. Counts the refusals by check and reason, those that the request log
   * leaves out included. Leaves out steps in which nothing happened. Returns null when the store
   * does not exist.
   */
  read(storeId: string, range: FigureRange): Promise<readonly FigureStep[] | null>;
  /**
   * Returns the same of the deliveries to one subscription of the store, without refusals. Returns
   * nothing of a subscription of another store.
   */
  readOf(subscription: SubscriptionKey, range: FigureRange): Promise<readonly FigureStep[]>;
  /**
   * Adds the calls to those of their minute. Adds nothing of a store that was erased meanwhile.
   */
  addCalls(calls: readonly CallCounts[]): Promise<void>;
  /**
   * Returns the calls of the installation in each step of the range, oldest first. Leaves out steps
   * without a call. Returns nothing of an installation of another store.
   */
  callsOf(installation: Pick<Caller, 'storeId' | 'installationId'>, range: FigureRange): Promise<readonly CallStep[]>;
  /**
   * Counts the refusals of the store since then, by check and reason, the most frequent first: at
   * most 50. The time is in milliseconds since the epoch, and begins with its minute.
   */
  recentRefusals(storeId: string, since: number): Promise<FigureStep['refusals']>;
  /**
   * Moves at most `limit` figures by minute that are older than `days` days into those of their
   * hour, and returns how many. Changes no sum, also when two calls run at the same time.
   */
  condense(days: number, limit: number): Promise<number>;
  /**
   * Deletes at most `limit` figures by hour that are older than `days` days, and returns how many.
   */
  purge(days: number, limit: number): Promise<number>;
}
