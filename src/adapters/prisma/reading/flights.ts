/** Renderings that are under way, by what they render, so that a stampede renders once. */
export class Flights<Result> {
  readonly #flying = new Map<string, Promise<Result>>();

  /** The rendering that is under way. */
  current(key: string): Promise<Result> | undefined {
    return this.#flying.get(key);
  }

  /** Begins a rendering, which others may wait for. */
  start(key: string, render: () => Promise<Result>): Promise<Result> {
    const flight = render().finally(() => {
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    });
    this.#flying.set(key, flight);
    return flight;
  }
}
