interface Idle {
  readonly subscriptionId: string;
}

export class IdleConnections<Connection extends Idle> {
  readonly #limit: number;
  /**
   * The one that has waited the shortest time is the last. It is taken first, so that unneeded ones
   * close in time.
   */
  readonly #bySubscription = new Map<string, Connection[]>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Connection>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  take(subscriptionId: string): Connection | null {
    const connections = this.#bySubscription.get(subscriptionId);
    const connection = connections?.pop();
    if (!connection) return null;
    if (connections?.length === 0) this.#bySubscription.delete(subscriptionId);
    this.#waiting.delete(connection);
    return connection;
  }

  /** Returns the connection that was removed. Its owner ends it. */
  put(connection: Connection): Connection | null {
    const connections = this.#bySubscription.get(connection.subscriptionId);
    if (connections) connections.push(connection);
    else this.#bySubscription.set(connection.subscriptionId, [connection]);
    this.#waiting.add(connection);
    if (this.#waiting.size <= this.#limit) return null;
    const [oldest = connection] = this.#waiting;
    this.remove(oldest);
    return oldest;
  }

  remove(connection: Connection): boolean {
    if (!this.#waiting.delete(connection)) return false;
    const others = this.#bySubscription.get(connection.subscriptionId)?.filter((other) => other !== connection) ?? [];
    if (others.length === 0) this.#bySubscription.delete(connection.subscriptionId);
    else this.#bySubscription.set(connection.subscriptionId, others);
    return true;
  }
}
