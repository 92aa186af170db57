import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import { cutBody } from '../../../../domain/webhooks/body-fields.ts';

/** At least this many characters are remembered, and at most twice as many. */
const KEPT_CHARACTERS = 1_048_576;

interface Kept {
  readonly whole: string;
  /** Contains only the fields. */
  readonly sent: string;
}

/**
 * Shares the bodies of the latest events. An event goes to several subscriptions, and the copies
 * that wait in their batches would be most of the memory of a busy worker, which makes garbage
 * collection slow. A merchant's event that a failover lost may return under its id with another
 * body.
 */
export class SharedBodies {
  #latest = new Map<StoreKey, Kept>();
  #before = new Map<StoreKey, Kept>();
  #characters = 0;

  /** The body with these fields of its data. Null is all of it. */
  of(storeId: string, eventId: string, body: string, fields: readonly string[] | null): string {
    const key = storeKey(storeId, fields === null ? eventId : JSON.stringify([eventId, fields]));
    const known = this.#latest.get(key) ?? this.#before.get(key);
    if (known?.whole === body) return known.sent;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#before = this.#latest;
      this.#latest = new Map();
      this.#characters = 0;
    }
    const whole = fields === null ? body : this.of(storeId, eventId, body, null);
    const sent = cutBody(whole, fields);
    this.#latest.set(key, { whole, sent });
    this.#characters += sent.length;
    return sent;
  }
}
