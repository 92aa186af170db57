import type { StoreKey } from '../../../domain/store-key.ts';

/** Renderings that are under way, by what they render, so that a stampede renders once. */
export class Flights<Result> {
  readonly #flying = new Map<StoreKey, Promise<Result>>();

  current(key: StoreKey): Promise<Result> | undefined {
    return this.#flying.get(key);
  }

  start(key: StoreKey, render: () => Promise<Result>): Promise<Result> {
    const flight = render().finally(() => {
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    });
    this.#flying.set(key, flight);
    return flight;
  }
}
