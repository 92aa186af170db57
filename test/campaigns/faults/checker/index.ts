import type { History, Rows } from '../history.ts';
import { checkChains } from './chains.ts';
import { checkDeliveries } from './deliveries.ts';
import { executionsOf, groupBy } from './events.ts';
import { checkFeed } from './feed.ts';
import { checkKeys, recoveryOf } from './keys.ts';
import { checkMedia } from './media.ts';
import { checkOutage, figuresOf, type OutageFigures, type OutageLimits } from './outages.ts';
import { checkRows } from './rows.ts';
import type { Violation } from './violation.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly keys: number;
  readonly requests: number;
  readonly events: number;
  readonly deliveries: number;
  /** Events that the clients of the feed read. */
  readonly walked: number;
  /** Milliseconds from the last recovery, or from its first request, to a key's answer. */
  readonly slowestRecovery: number;
  readonly outages: readonly OutageFigures[];
}

export interface Limits extends OutageLimits {
  /** Milliseconds within which a key is to be answered after a recovery. */
  readonly recovery: number;
}

/** What the specification of the campaign requires. */
export const LIMITS: Limits = { recovery: 2_000, answer: 13_000, notice: 5_000, rate: 0.9 };

/**
 * Judges a round from what was seen from outside and what is stored in the end; touches nothing.
 */
export const check = (history: History, rows: Rows, limits: Limits): Verdict => {
  const { recovery } = limits;
  const executions = executionsOf(rows.events);
  const byMark = groupBy(executions, ({ mark }) => mark);
  const keyed = [...history.keys, ...history.media];
  const recoveries = keyed.map((one) => recoveryOf(one, history.disturbances) ?? 0);
  return {
    violations: [
      ...checkKeys(history, byMark, recovery),
      ...checkMedia(history, rows, recovery),
      ...checkChains(rows.products, executions),
      ...checkDeliveries(history, rows.events, byMark),
      ...checkFeed(history, rows.events, rows.installedAt),
      ...checkRows(history, rows),
      ...history.outages.flatMap((outage) => checkOutage(outage, limits)),
    ],
    keys: keyed.length,
    requests: keyed.reduce((sum, { attempts }) => sum + attempts.length, 0),
    events: rows.events.length,
    deliveries: history.deliveries.length,
    walked: history.walks.reduce((sum, { pages }) => sum + pages.reduce((all, { ids }) => all + ids.length, 0), 0),
    slowestRecovery: Math.max(0, ...recoveries),
    outages: history.outages.map(figuresOf),
  };
};
