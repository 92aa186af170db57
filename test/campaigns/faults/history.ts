import type { Outage } from './outage.ts';
import type { Ask } from '../kit/merchant.ts';

/** Milliseconds by the campaign's own clock, which no fault touches. */
export type Moment = number;

export const now = (): Moment => performance.now();

export interface Answer {
  readonly status: number;
  /** True for an answer with Idempotent-Replay. */
  readonly replay: boolean;
  readonly contentType: string;
  readonly body: string;
}

/** A request, as its client saw it. */
export interface Attempt {
  /** Process that got the request: no two of a campaign have the same number. */
  readonly node: number;
  readonly sentAt: Moment;
  readonly endedAt: Moment;
  /** Null when none came. */
  readonly answer: Answer | null;
  /** The client went away by itself, and waited for no answer. */
  readonly left: boolean;
}

/**
 * Value that an item of a bulk update sets: a text that nothing else ever sets, so that its events
 * count its executions.
 */
export interface Mark {
  readonly productId: string;
  readonly value: string;
}

/** Requests with one key, all with the same bytes, from any client. */
export interface Keyed {
  readonly installationId: string;
  readonly storeId: string;
  readonly key: string;
  readonly attempts: Attempt[];
}

/** A bulk update under its key. */
export interface KeyHistory extends Keyed {
  readonly marks: readonly Mark[];
  /**
   * Request with other bytes under the same key, sent once it was answered: the mark that must
   * never be set, and the statuses that came.
   */
  readonly intruder: { readonly mark: Mark; readonly attempts: Attempt[] } | null;
}

/** Content of an address: always the same image, known by its bytes, or always the same error. */
export type Given = { readonly sha256: string } | { readonly errorCode: string };

/** An item of a media import. No other item names its address. */
export interface MediaItem {
  readonly sourceUrl: string;
  readonly productId: string;
  readonly given: Given;
}

/** A media import under its key. */
export interface MediaHistory extends Keyed {
  readonly items: readonly MediaItem[];
  /** Uninstalls the app, or deletes the product, at any time after the request. */
  readonly loses: 'app' | 'product' | null;
}

/** Adjustments of the stock of variants, under one key. No element of a request names a SKU twice. */
export interface StockHistory extends Keyed {
  readonly adjustments: readonly { readonly sku: string; readonly by: number }[];
}

/**
 * A write without a key, repeated until it is answered: a merchant's event under its id, an import
 * of new products under theirs.
 */
export interface WriteHistory {
  readonly storeId: string;
  readonly kind: 'event' | 'import';
  /** Ids of the event, or of the products. */
  readonly ids: readonly string[];
  readonly type: string;
  readonly attempts: Attempt[];
}

/**
 * Option of a subscription beside its types. `replaced`: another subscription takes its place again
 * and again.
 */
export type Option = 'order' | 'gather' | 'filter' | 'replaced' | 'copy' | 'gathered copy';

/** Their receivers keep a copy of the products by what the bodies bring. */
export const COPYING = ['copy', 'gathered copy'] as const satisfies readonly Option[];
export const isCopy = ({ option }: Pick<SubscriptionHistory, 'option'>): boolean => COPYING.some((one) => one === option);

export interface SubscriptionHistory {
  readonly id: string;
  /** The first of those that have taken each other's place; its own id where none has. */
  readonly line: string;
  readonly option: Option | null;
  readonly storeId: string;
  /** Null: the merchant's own. */
  readonly installationId: string | null;
  readonly eventTypes: readonly string[];
  /** When its creation was answered. */
  readonly createdAt: Moment;
  /** When its removal was first asked for: a DELETE of it, or the uninstall of its app. */
  removalSentAt: Moment | null;
  /** When its removal was answered. */
  removedAt: Moment | null;
}

/** A request that a receiver read whole. */
export interface DeliveryHistory {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly at: Moment;
  readonly body: string;
  /**
   * By the published rules, under the subscription's secret. Null where its secret is not known:
   * its creation was never answered.
   */
  readonly signed: boolean | null;
  /**
   * True if it came after its subscription's removal had been answered, while its sender still
   * waited for the answer.
   */
  readonly alive: boolean;
}

/** The time in which something was broken; `until` is the moment from which all was there again. */
export interface Disturbance {
  readonly kind: string;
  readonly from: Moment;
  until: Moment;
}

/** A process that was asked to stop in an orderly way, by SIGTERM. */
export interface Termination {
  readonly node: number;
  readonly from: Moment;
  until: Moment;
  code: number | null;
}

/** Pages of the feed that a client read. */
export interface WalkHistory {
  readonly storeId: string;
  readonly installationId: string;
  readonly pages: {
    readonly at: Moment;
    readonly ids: readonly string[];
    /** The whole answer. */
    readonly text: string;
    readonly next: string;
    readonly more: boolean;
  }[];
  /** Each 410: the reason that it gave, and the number of pages before it. The walk continued at its `oldest`. */
  readonly resets: { readonly reason: string; readonly pages: number }[];
}

/** A standby that was promoted in place of the primary. */
export interface FailoverHistory {
  readonly course: string;
  readonly isAsynchronous: boolean;
  /** All that was acknowledged by then is on the standby. */
  safeAt: Moment;
  /** From when the old primary reached nobody any more: Infinity while it takes writes beside the other one. */
  goneAt: Moment;
  /** When the standby was asked to take writes, and when it did. */
  promotedAt: Moment;
  acceptedAt: Moment;
  /** From when no node had a connection to the old primary. */
  leftAt: Moment;
  /** The connections that were still there when the wait for that ended. */
  stayed: readonly string[];
  /** The time in which commits waited for a standby that was away. */
  missing: { readonly from: Moment; readonly until: Moment } | null;
  /** Milliseconds from `acceptedAt` to the first write of each node that the promoted server has. */
  readonly recoveries: number[];
  /** Events that only the old primary had a place for, of all stores. */
  lostPlaces: number;
}

/** History of a writer that counts up in one product: its reads and acknowledged writes. */
export interface SequenceHistory {
  readonly writes: { readonly n: number; readonly answeredAt: Moment }[];
  readonly reads: { readonly node: number; readonly sentAt: Moment; readonly endedAt: Moment; readonly n: number }[];
}

/** An app whose uninstallation was answered. */
export interface UninstallHistory {
  readonly installationId: string;
  readonly answeredAt: Moment;
  /** How it asks for a token. */
  readonly signIn: Ask;
}

/** All that one round of a campaign saw from outside. */
export interface History {
  readonly keys: KeyHistory[];
  readonly media: MediaHistory[];
  readonly stocks: StockHistory[];
  readonly writes: WriteHistory[];
  readonly subscriptions: SubscriptionHistory[];
  readonly deliveries: DeliveryHistory[];
  readonly walks: WalkHistory[];
  readonly disturbances: Disturbance[];
  /** Times in which requests may wait, and none may fail. */
  readonly pauses: Disturbance[];
  readonly outages: Outage[];
  readonly failovers: FailoverHistory[];
  readonly sequence: SequenceHistory;
  readonly uninstalls: UninstallHistory[];
  readonly terminations: Termination[];
  /** Requests that belong to neither keys nor writes: tokens, subscriptions, uninstalls. */
  readonly others: { readonly name: string; readonly attempt: Attempt }[];
  /** Processes that ended although nobody ended them, with what they last wrote. */
  readonly collapses: string[];
}

export const emptyHistory = (): History => ({
  keys: [],
  media: [],
  stocks: [],
  writes: [],
  subscriptions: [],
  deliveries: [],
  walks: [],
  disturbances: [],
  pauses: [],
  outages: [],
  failovers: [],
  sequence: { writes: [], reads: [] },
  uninstalls: [],
  terminations: [],
  others: [],
  collapses: [],
});

export interface EventRow {
  readonly id: string;
  readonly storeId: string;
  readonly type: string;
  readonly resourceId: string | null;
  /** The installation that caused it. */
  readonly origin: string | null;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly createdAt: number;
  /** In the feed of its store. Null until it gets its place. */
  readonly position: number | null;
  readonly body: string;
}

export interface ProductRow {
  readonly id: string;
  readonly storeId: string;
  readonly slug: string | null;
  readonly metaTitle: string | null;
  readonly isDeleted: boolean;
  /** Facts of the list, as kept with the product, and as its variants, stock and media have them now. */
  readonly kept: Readonly<Record<string, unknown>>;
  readonly counted: Readonly<Record<string, unknown>>;
}

/** A delivery, by its subscription and its event. */
export interface DeliveryRow {
  readonly subscriptionId: string;
  readonly eventId: string;
}

/** The available stock of a variant in all warehouses. */
export interface StockRow {
  readonly storeId: string;
  readonly sku: string;
  readonly available: number;
}

/** A count as it is stored or shown, and as counted from the rows. */
export interface TotalRow {
  readonly name: string;
  readonly shown: number;
  readonly counted: number;
}

/** A media import with what became of its items. */
export interface ImportRow {
  readonly id: string;
  readonly storeId: string;
  readonly status: string;
  readonly items: readonly {
    readonly sourceUrl: string;
    readonly productId: string;
    readonly mediaId: string;
    readonly status: string;
    readonly errorCode: string | null;
    readonly error: string | null;
  }[];
}

/** A media that an import added: deleted ones too. */
export interface MediaRow {
  readonly id: string;
  readonly productId: string;
  readonly storageKey: string;
}

/** A file in the media directory: one in its place under its key, or a draft of one. */
export interface StoredFile {
  readonly key: string;
  readonly isDraft: boolean;
  readonly sha256: string;
}

/** The content of the database after all work is done, and what the list shows of it. */
export interface Rows {
  readonly events: readonly EventRow[];
  /** When each app was installed, in milliseconds since the epoch, by its id. */
  readonly installedAt: ReadonlyMap<string, number>;
  /** The apps that are installed, and what each app whose uninstallation was answered gets when it asks for a token. */
  readonly installed: ReadonlySet<string>;
  readonly signIns: ReadonlyMap<string, number>;
  readonly deliveries: readonly DeliveryRow[];
  readonly products: readonly ProductRow[];
  /** The products of stores with copies, as an API process answers with them, by their ids. Those that are deleted are not there. */
  readonly shown: ReadonlyMap<string, object>;
  readonly stocks: readonly StockRow[];
  readonly totals: readonly TotalRow[];
  readonly imports: readonly ImportRow[];
  readonly media: readonly MediaRow[];
  /** The keys of the files that the database knows. */
  readonly known: readonly string[];
  readonly stored: readonly StoredFile[];
}
