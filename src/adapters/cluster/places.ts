/**
 * Requests that several processes may have under way at once, by a key. What a process has ends with
 * it.
 */
export class Places {
  readonly #taken = new Map<string, Map<object, number>>();

  /** Whether the owner gets another place of at most `limit` in all. */
  take(owner: object, key: string, limit: number): boolean {
    const owners = this.#taken.get(key) ?? new Map<object, number>();
    const total = [...owners.values()].reduce((sum, count) => sum + count, 0);
    if (total >= limit) return false;
    this.#taken.set(key, owners.set(owner, (owners.get(owner) ?? 0) + 1));
    return true;
  }

  /** Does nothing for an owner without a place. */
  give(owner: object, key: string): void {
    const owners = this.#taken.get(key);
    const left = (owners?.get(owner) ?? 0) - 1;
    if (left > 0) owners?.set(owner, left);
    else this.#drop(owner, key);
  }

  /** The owner has ended. */
  giveAll(owner: object): void {
    for (const key of [...this.#taken.keys()]) this.#drop(owner, key);
  }

  get size(): number {
    return this.#taken.size;
  }

  #drop(owner: object, key: string): void {
    const owners = this.#taken.get(key);
    owners?.delete(owner);
    if (owners?.size === 0) this.#taken.delete(key);
  }
}
