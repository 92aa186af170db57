import type { Found, Span } from '../../insight/found.ts';

export interface Sought {
  readonly text: string;
  /** The text as a UUID. Null when it is not one. */
  readonly id: string | null;
  /** The event to which a merchant gave the text as its id. */
  readonly eventId: string;
  /** When a request with this id wrote its events. Null when that is not known. */
  readonly requested: Span | null;
}

export interface Finder {
  /**
   * Finds an event, a delivery, a product, a refused request, an installation, a subscription and a
   * media import by its id. Finds an event by the id that the merchant gave it. Finds the newest
   * events about an order by the order's id. Finds a request with the events that it caused. Finds
   * a product by its exact slug or SKU. Finds an idempotency key of any app by its exact text. Finds
   * an installation by its client id. Finds a product by a part of its name or SKU, an installation by a
   * part of its name, and a subscription by a part of its URL or description, in any case. Puts what the
   * text names as a whole first. Finds nothing of another store, and nothing that was deleted.
   * Returns at most 20 items. Returns null when the store does not exist. Returns `slow` when the
   * search does not end in its time.
   */
  find(storeId: string, sought: Sought): Promise<readonly Found[] | 'slow' | null>;
}
