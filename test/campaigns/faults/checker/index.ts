import type { FailoverHistory, History, KeyHistory, Rows } from '../history.ts';
import { checkChains } from './chains.ts';
import { checkBodies, copiedIn } from './copies.ts';
import { checkDeliveries } from './deliveries.ts';
import { executionsOf, groupBy } from './events.ts';
import { checkFailovers } from './failovers.ts';
import { checkFeed } from './feed.ts';
import { checkKeys, disturbancesOf, recoveryOf } from './keys.ts';
import { isIn, lossesOf } from './losses.ts';
import { checkMedia } from './media.ts';
import { checkOptions, deliveredTo } from './options.ts';
import { checkOutage, figuresOf, type OutageFigures, type OutageLimits } from './outages.ts';
import { checkRows } from './rows.ts';
import { checkStocks } from './stocks.ts';
import type { Violation } from './violation.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly keys: number;
  readonly requests: number;
  readonly events: number;
  readonly deliveries: number;
  /** Deliveries to subscriptions with an order. */
  readonly ordered: number;
  /** Events that receivers with a copy of the products got. */
  readonly copied: number;
  /** Events that the clients of the feed read. */
  readonly walked: number;
  /** Milliseconds from the last recovery, or from its first request, to a key's answer. */
  readonly slowestRecovery: number;
  readonly outages: readonly OutageFigures[];
  readonly failovers: readonly FailoverHistory[];
  /** Acknowledged keys that a failover lost, and how often a reader of the feed was informed of a loss. */
  readonly lostKeys: number;
  readonly informed: number;
  readonly reads: number;
}

export interface Limits extends OutageLimits {
  /** Milliseconds within which a key is to be answered after a recovery. */
  readonly recovery: number;
  /** Milliseconds within which each node answers a write after a promotion. */
  readonly failover: number;
}

/** Limits of the campaign's specification. */
export const LIMITS: Limits = { recovery: 2_000, failover: 10_000, answer: 13_000, notice: 5_000, rate: 0.9 };

/** Keys that were acknowledged, and that nothing in the end is of. */
const lostKeysOf = (history: History, executions: ReadonlyMap<string, unknown>): number => {
  const losses = lossesOf(history);
  const isLost = ({ attempts, marks }: KeyHistory): boolean =>
    attempts.some(({ answer, endedAt }) => answer?.status === 200 && isIn(endedAt, losses)) &&
    !marks.some(({ value }) => executions.has(value));
  return history.keys.filter(isLost).length;
};

/** Several servers and the nodes share one machine. */
export const CROWDED_LIMITS: Limits = { ...LIMITS, recovery: 10_000 };

/**
 * Judges a round from what was seen from outside and what is stored in the end; touches nothing.
 */
export const check = (history: History, rows: Rows, limits: Limits): Verdict => {
  const { recovery } = limits;
  const executions = executionsOf(rows.events);
  const byMark = groupBy(executions, ({ mark }) => mark);
  const keyed = [...history.keys, ...history.media, ...history.stocks];
  const recoveries = keyed.map((one) => recoveryOf(one, disturbancesOf(history)) ?? 0);
  return {
    violations: [
      ...checkKeys(history, byMark, recovery),
      ...checkMedia(history, rows, recovery),
      ...checkStocks(history, rows, recovery),
      ...checkChains(rows.products, executions),
      ...checkDeliveries(history, rows.events, byMark),
      ...checkOptions(history, rows),
      ...checkBodies(history, rows),
      ...checkFeed(history, rows.events, rows.installedAt),
      ...checkRows(history, rows),
      ...history.outages.flatMap((outage) => checkOutage(outage, limits)),
      ...checkFailovers(history, rows, limits.failover),
    ],
    keys: keyed.length,
    requests: keyed.reduce((sum, { attempts }) => sum + attempts.length, 0),
    events: rows.events.length,
    deliveries: history.deliveries.length,
    ordered: deliveredTo(history, 'order').reduce((sum, [, deliveries]) => sum + deliveries.length, 0),
    copied: copiedIn(history),
    walked: history.walks.reduce((sum, { pages }) => sum + pages.reduce((all, { ids }) => all + ids.length, 0), 0),
    slowestRecovery: Math.max(0, ...recoveries),
    outages: history.outages.map(figuresOf),
    failovers: history.failovers,
    lostKeys: lostKeysOf(history, byMark),
    informed: history.walks.reduce((sum, { resets }) => sum + resets.length, 0),
    reads: history.sequence.reads.length,
  };
};
