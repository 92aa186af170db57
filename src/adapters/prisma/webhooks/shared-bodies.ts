/** At least this many bytes are remembered, and at most twice as many. */
const KEPT_BYTES = 1_048_576;

/**
 * The bodies of the latest events, each once. An event goes to several subscriptions, and the
 * copies that wait in their batches would be most of the memory of a busy worker, which makes
 * garbage collection slow. Bodies are frozen, so any copy of an event will do.
 */
export class SharedBodies {
  /** Whether most events of the last look-up were remembered. */
  areShared = false;
  #latest = new Map<string, Uint8Array>();
  #before = new Map<string, Uint8Array>();
  #bytes = 0;

  /** The remembered body of this event. */
  of(eventId: string): Uint8Array | undefined {
    return this.#latest.get(eventId) ?? this.#before.get(eventId);
  }

  /** The body of this event, which is remembered from now on. */
  keep(eventId: string, text: string): Uint8Array {
    const known = this.of(eventId);
    if (known) return known;
    if (this.#bytes > KEPT_BYTES) {
      this.#before = this.#latest;
      this.#latest = new Map();
      this.#bytes = 0;
    }
    const body = Buffer.from(text);
    this.#latest.set(eventId, body);
    this.#bytes += body.length;
    return body;
  }
}
