import type { StoreKey } from '../../../domain/store-key.ts';

/** At least this many characters are remembered, and at most twice as many. */
const KEPT_CHARACTERS = 1_048_576;

/**
 * The bodies of the latest events, each once. An event goes to several subscriptions, and the
 * copies that wait in their batches would be most of the memory of a busy worker, which makes
 * garbage collection slow. A merchant's event that a failover lost may return under its id with
 * another body.
 */
export class SharedBodies {
  #latest = new Map<StoreKey, string>();
  #before = new Map<StoreKey, string>();
  #characters = 0;

  of(event: StoreKey, body: string): string {
    const known = this.#latest.get(event) ?? this.#before.get(event);
    if (known === body) return known;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#before = this.#latest;
      this.#latest = new Map();
      this.#characters = 0;
    }
    this.#latest.set(event, body);
    this.#characters += body.length;
    return body;
  }
}
