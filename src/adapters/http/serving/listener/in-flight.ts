import type { Response } from 'express';

export interface OpenRequest {
  readonly response: Pick<Response, 'headersSent'>;
  readonly begunAt: number;
  /** It takes this long on purpose. */
  waitMs: number;
}

/** The requests of this process that are open. What is not answered grows old here. */
export class InFlight {
  readonly #open = new Set<OpenRequest>();

  begin(response: OpenRequest['response'], begunAt: number): OpenRequest {
    const open = { response, begunAt, waitMs: 0 };
    this.#open.add(open);
    return open;
  }

  end(open: OpenRequest): void {
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
