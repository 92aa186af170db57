/**
 * A request that is sent again and again on a separate connection, each time once the answer before
 * has come.
 */
export interface Probe {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Probed {
  readonly pid: number;
  readonly probes: readonly Probe[];
}

/** To the prober: the server under fire, and its twin. */
export type Setup = readonly [target: Probed, twin: Probed];

/** Observations of a server since the last report. */
export interface Seen {
  /**
   * Milliseconds that a request waited at most, without the time for which the server's main thread
   * or the prober itself was ready to run and had no processor.
   */
  readonly waitMs: number;
  /** MB of the process at most, and now. */
  readonly peakRss: number;
  readonly rss: number;
}

/** From the prober. */
export interface Reading {
  readonly seen: readonly [target: Seen, twin: Seen];
  /** Requests that were not answered with 200. */
  readonly failures: readonly string[];
}
