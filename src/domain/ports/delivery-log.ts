import type { AttemptError, DeliveryStatus } from '../webhooks/delivery.ts';
import type { SubscribableType } from '../webhooks/subscription.ts';
import type { Page, PageOf } from '../page.ts';

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Delivery {
  readonly id: string;
  readonly storeId: string;
  readonly eventId: string;
  readonly eventType: SubscribableType | 'ping';
  readonly subscriptionId: string;
  readonly installationId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Null once it has ended. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly address: string | null;
  readonly error: AttemptError | null;
  readonly response: string | null;
}

export interface DeliveryFilter {
  readonly installationId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Created then or later. Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** The merchant's side of the deliveries: to look, to send again, to ping. */
export interface DeliveryLog {
  /** A page of the store's deliveries that match every filter given, by creation, then id; a delivery waiting under a suspended app, an inactive store or an open breaker is Held. Null when there is no such store. */
  list(storeId: string, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery> | null>;
  /** The delivery with its attempts in order. Null when there is none. */
  get(id: string): Promise<(Delivery & { readonly log: readonly Attempt[] }) | null>;
  /** Makes it due now with a schedule that begins anew, whatever its status; one that is due already, and so may be under way, keeps its place. Answers its subscription; null when there is no such delivery, `gone` and nothing changes when its subscription is removed or deactivated, or may not receive the type any more. */
  redeliver(id: string): Promise<{ readonly subscriptionId: string } | 'gone' | null>;
  /** The same for up to `limit` of the subscription's Failed ones created since then. How many; null when there is no such subscription, `gone` when it is deactivated. */
  redeliverFailed(subscriptionId: string, since: number, limit: number): Promise<number | 'gone' | null>;
  /** Records a `ping` event with one delivery, to this subscription alone. False when there is none or it is deactivated. */
  ping(subscriptionId: string): Promise<boolean>;
  /** How many subscriptions of the store an event of this type goes to now. */
  countMatching(storeId: string, type: SubscribableType): Promise<number>;
}
