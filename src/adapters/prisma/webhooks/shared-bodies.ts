import type { StoreKey } from '../../../domain/store-key.ts';

/** At least this many characters are remembered, and at most twice as many. */
const KEPT_CHARACTERS = 1_048_576;

/**
 * The bodies of the latest events, each once. An event goes to several subscriptions, and the
 * copies that wait in their batches would be most of the memory of a busy worker, which makes
 * garbage collection slow. Bodies are frozen, so any copy of an event will do.
 */
export class SharedBodies {
  #latest = new Map<StoreKey, string>();
  #before = new Map<StoreKey, string>();
  #characters = 0;

  of(event: StoreKey, body: string): string {
    const known = this.#latest.get(event) ?? this.#before.get(event);
    if (known !== undefined) return known;
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
