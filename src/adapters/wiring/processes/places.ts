export class Places {
  readonly #taken = new Map<string, Map<object, number>>();

  take(owner: object, key: string, limit: number): boolean {
    const owners = this.#taken.get(key) ?? new Map<object, number>();
    const total = [...owners.values()].reduce((sum, count) => sum + count, 0);
    if (total >= limit) return false;
    this.#taken.set(key, owners.set(owner, (owners.get(owner) ?? 0) + 1));
    return true;
  }

  give(owner: object, key: string): void {
    const owners = this.#taken.get(key);
    const left = (owners?.get(owner) ?? 0) - 1;
    if (left > 0) owners?.set(owner, left);
    else this.#drop(owner, key);
  }

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
