import type { Response } from 'express';

export interface OpenRequest {
  readonly response: Pick<Response, 'headersSent'>;
  readonly begunAt: number;
  /** It takes this long on purpose. */
  waitMs: number;
  /** Resolves when its handler has ended. A client that leaves ends only the response. */
  settled: Promise<void>;
}

/**
 * The requests of this process that are open, or whose handler still runs after the client has left.
 * What is not answered grows old here.
 */
export class InFlight {
  readonly #open = new Set<OpenRequest>();

  begin(response: OpenRequest['response'], begunAt: number): OpenRequest {
    const open = { response, begunAt, waitMs: 0, settled: Promise.resolve() };
    this.#open.add(open);
    return open;
  }

  /** The response is closed. */
  async close(open: OpenRequest): Promise<void> {
    await open.settled;
    this.#open.delete(open);
  }

  /**
   * For how many seconds the oldest request has had no answer, beyond the time that it takes on
   * purpose. A stream counts until its head is sent: afterwards the reader sets the pace.
   */
  oldestSeconds(now = performance.now()): number {
    let oldest = 0;
    for (const { response, begunAt, waitMs } of this.#open)
      if (!response.headersSent) oldest = Math.max(oldest, now - begunAt - waitMs);
    return oldest / 1000;
  }
}
