/** So many characters are remembered at least, twice as many at most. */
const KEPT_CHARACTERS = 1_048_576;

/**
 * The bodies of the latest events, each once: an event goes to several subscriptions, and the copies that wait in the batches of each are
 * most of what a busy worker holds from one collection of garbage to the next, which costs by what is held. Bodies are frozen, so one of
 * an event is as good as another.
 */
export class SharedBodies {
  #latest = new Map<string, string>();
  #before = new Map<string, string>();
  #characters = 0;

  /** The one that is remembered of this event; else the given one, from now on. */
  of(eventId: string, body: string): string {
    const known = this.#latest.get(eventId) ?? this.#before.get(eventId);
    if (known !== undefined) return known;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#before = this.#latest;
      this.#latest = new Map();
      this.#characters = 0;
    }
    this.#latest.set(eventId, body);
    this.#characters += body.length;
    return body;
  }
}
