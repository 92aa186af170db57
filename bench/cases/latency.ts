import { startChild, type Child } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import type { Listening } from '../support/receiver.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { delays, openShop, sendEvents, subscribe } from '../support/shop.ts';
import { quantile, spreadOf } from '../support/statistics.ts';
import { startTenon, type Program } from '../support/tenon.ts';

const PER_SECOND = 25;
const EVENTS = { full: 100, short: 15 };

interface Side {
  readonly name: string;
  /** Milliseconds from each event to its receipt. */
  round(): Promise<number[]>;
  rss(): number;
  close(): Promise<void>;
}

/** A process with a database of its own: the schema of another checkout may differ. */
const openSide = async (receiver: Child, url: string, count: number, name = 'Tenon', program?: Program): Promise<Side> => {
  const { databaseUrl, pool, close } = await openEnvironment();
  const tenon = await startTenon(databaseUrl, { ROLE: 'all' }, undefined, program);
  const shop = await openShop(tenon);
  await subscribe(pool, shop, [url], ['order.paid']);
  return {
    name,
    round: async () => {
      const found = await delays(pool, receiver, await sendEvents(tenon, [shop.storeId], { perSecond: PER_SECOND, count }));
      process.stderr.write(`${name}: p50 ${quantile(found, 0.5).toFixed(1)} ms, p99 ${quantile(found, 0.99).toFixed(1)} ms\n`);
      return found;
    },
    rss: () => tenon.rss(),
    close: async () => {
      await tenon.stop();
      await close();
    },
  };
};

/**
 * Events at a low rate, one after the other: what a delivery waits for when nothing else is to be
 * done.
 */
export const latency = async ({ short, pairs, against }: CaseOptions): Promise<CaseResult> => {
  const count = short ? EVENTS.short : EVENTS.full;
  const receiver = startChild('support/receiver.ts');
  const { url } = await receiver.ask<Listening>({ listen: 'prompt' });
  const own = await openSide(receiver, url, count);
  const other = against && (await openSide(receiver, url, count, 'other checkout', against));
  const sides = [own, ...(other ? [other] : [])];
  const rounds = new Map(sides.map((side) => [side, [] as number[][]]));
  for (const side of sides) await side.round();
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const side of pair % 2 === 0 ? sides : [...sides].reverse()) rounds.get(side)?.push(await side.round());
  }
  const rss = own.rss();
  await Promise.all([receiver.stop(), ...sides.map((side) => side.close())]);
  const of = (side: Side, q: number): number[] => (rounds.get(side) ?? []).map((found) => quantile(found, q));
  const p50 = of(own, 0.5);
  const ratios = other && p50.map((ms, pair) => ms / (of(other, 0.5)[pair] ?? NaN));
  return {
    about: `${PER_SECOND} events a second through the admin API to one subscription, ${count} events a round. One process (ROLE=all) with the queue in PostgreSQL. Measured from the timestamp of the event, shortly before its commit, to the receipt of its delivery.`,
    figures: [
      ...(ratios ? [{ name: 'p50 to that of the other checkout', unit: 'ratio', ...spreadOf(ratios) }] : []),
      { name: 'commit to receipt, p50', unit: 'ms', most: 10, ...spreadOf(p50) },
      { name: 'commit to receipt, p99', unit: 'ms', most: 30, ...spreadOf(of(own, 0.99)) },
      { name: 'RSS', unit: 'MB', median: rss },
    ],
  };
};
