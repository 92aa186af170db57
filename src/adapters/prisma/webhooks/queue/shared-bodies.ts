import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import { sentBody, type BodyShape } from '../../../../domain/webhooks/sent-body.ts';

/** At least this many characters are remembered, and at most twice as many. */
const KEPT_CHARACTERS = 1_048_576;

const WHOLE: BodyShape = { fields: null, include: null, included: null };

interface Kept {
  readonly whole: string;
  readonly included: string | null;
  /** Contains only the fields, and what is included. */
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

  /** The body with what it includes, and with these fields of its data. Null is all of it. */
  of(storeId: string, eventId: string, body: string, { fields, include, included }: BodyShape): string {
    const isPlain = fields === null && include === null;
    const key = storeKey(storeId, isPlain ? eventId : JSON.stringify([eventId, fields, include]));
    const known = this.#latest.get(key) ?? this.#before.get(key);
    if (known?.whole === body && known.included === included) return known.sent;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#before = this.#latest;
      this.#latest = new Map();
      this.#characters = 0;
    }
    const whole = isPlain ? body : this.of(storeId, eventId, body, WHOLE);
    const sent = sentBody(whole, { fields, include, included });
    this.#latest.set(key, { whole, included, sent });
    this.#characters += sent.length;
    return sent;
  }
}
