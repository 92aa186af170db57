import type { FileCounts } from '../../catalogue/product-import.ts';
import type { RefusedRequest } from '../../insight/refused-request.ts';
import type { ImportStatus } from '../../media/media-import.ts';
import type { AttemptError, Verdict } from '../../webhooks/delivery.ts';
import type { StoreKey } from '../../store-key.ts';
import type { SubscribableType } from '../../webhooks/event.ts';

/** An event whose transaction has committed. `at` is ISO 8601 in UTC, as in every item. */
export interface LiveEvent {
  readonly kind: 'event';
  readonly id: string;
  readonly type: SubscribableType | 'ping';
  readonly resourceId: string | null;
  /** The request that caused it, by its X-Request-Id. Null if it is unknown. */
  readonly requestId: string | null;
  readonly at: string;
}

/** An attempt that has ended. `at` is its beginning. */
export interface LiveAttempt {
  readonly kind: 'attempt';
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly subscriptionId: string;
  /** Null for a subscription of the merchant. */
  readonly installationId: string | null;
  readonly number: number;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly outcome: Verdict['kind'];
  readonly durationMs: number;
  readonly at: string;
}

/** A request of an app that was refused. `at` is its arrival. */
export interface LiveRefusal extends Omit<RefusedRequest, 'id' | 'at' | 'storeId' | 'host'> {
  readonly kind: 'refusal';
  readonly requestId: string;
  readonly at: string;
}

/** An import, while it runs and at its end. It counts products, or items of a media import, that have ended so far. */
export interface LiveImport extends FileCounts {
  readonly kind: 'import';
  readonly of: 'products' | 'media';
  /** Id of a media import, or of the request of a product import. */
  readonly id: string;
  readonly installationId: string | null;
  /** True when the product import only says what it would do. */
  readonly isDryRun: boolean;
  readonly status: Exclude<ImportStatus, 'Queued'>;
  /** First line of the file that is not done yet. Null when the whole file is done, and for a media import. */
  readonly nextLine: number | null;
  readonly at: string;
}

export type LiveItem = LiveEvent | LiveAttempt | LiveRefusal | LiveImport;

export interface LiveBatch {
  readonly items: readonly LiveItem[];
  /** Items that were lost before these. */
  readonly dropped: number;
}

/** Bytes of an item at most, as JSON. */
export const MAX_ITEM_BYTES = 7_000;

declare const isDomain: unique symbol;
type DomainSubject = string & { readonly [isDomain]: true };

/** Subject of a watch: a store, or the domain where only that is known. */
export type LiveSubject = StoreKey | DomainSubject;

export const domainSubject = (domain: string): DomainSubject => domain as DomainSubject;

export interface LiveChannel {
  /**
   * Returns whether a watcher on any node watches the subject. Returns false again when the last
   * watcher has ended, or when its node has died.
   */
  isWatched(subject: LiveSubject): boolean;
  /** Returns whether nobody watches anything. */
  isIdle(): boolean;
  /**
   * Passes the items to every watcher of the subject, on every node, in their order. Does nothing
   * when nobody watches the subject. Reports to the watchers on other nodes as dropped what has more
   * than 7,000 bytes.
   */
  publish(subject: LiveSubject, items: readonly LiveItem[]): void;
  /** Calls `onBatch` with what is published. Returns a function that ends it. */
  watch(subject: LiveSubject, onBatch: (batch: LiveBatch) => void): () => void;
  /** Ends all watchers of this node. */
  close(): Promise<void>;
}
