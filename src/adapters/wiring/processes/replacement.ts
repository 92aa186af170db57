export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Milliseconds for which it served; null if it never listened. */
  readonly servedMs: number | null;
  /** Reason that the process reported for not starting; null without a report. */
  readonly reason: string | null;
}

/** A process that served for this long started well. */
const SETTLED_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Signals that a terminal or an init system sends to every process of a service at once. */
const STOP_SIGNALS: readonly (string | null)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The early ends of a process and its forerunners in a row, this one included. */
export const earlyEnds = (before: number, { servedMs }: Pick<End, 'servedMs'>): number =>
  servedMs !== null && servedMs >= SETTLED_MS ? 0 : before + 1;

/**
 * Milliseconds until another process takes its place: none after the first end, then twice as long
 * each time, so that processes that end as they start never keep a core busy.
 */
export const waitBefore = (early: number): number =>
  early <= 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (early - 2), LONGEST_WAIT_MS);

/**
 * Returns the reason why the first start fails with this end; null if it does not. A signal that
 * stops the service may reach a process before it ignores it: another one takes its place, and is
 * stopped in order.
 */
export const startFault = ({ code, signal, reason }: Omit<End, 'servedMs'>): string | null => {
  if (reason !== null) return reason;
  if (STOP_SIGNALS.includes(signal)) return null;
  return `An API process ended as it started (${signal ?? `status ${String(code)}`}). Its output says why.`;
};
