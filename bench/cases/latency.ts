import { startChild } from '../support/child.ts';
import { openGround } from '../support/ground.ts';
import type { Listening } from '../support/receiver.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { delays, openShop, sendEvents, subscribe } from '../support/shop.ts';
import { quantile, spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';

const PER_SECOND = 25;
const EVENTS = { full: 100, short: 15 };

/**
 * Events at a low rate, one after the other: what a delivery waits for when nothing else is to be
 * done.
 */
export const latency = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const count = short ? EVENTS.short : EVENTS.full;
  const { databaseUrl, pool, close } = await openGround();
  const receiver = startChild('support/receiver.ts');
  const { url } = await receiver.ask<Listening>({ listen: 'prompt' });
  const tenon = await startTenon(databaseUrl, { ROLE: 'all' });
  const shop = await openShop(tenon);
  await subscribe(pool, shop, [url], ['order.paid']);
  const round = async (): Promise<number[]> =>
    delays(pool, receiver, await sendEvents(tenon, [shop.storeId], { perSecond: PER_SECOND, count }));

  await round();
  const rounds: number[][] = [];
  for (let index = 0; index < pairs; index += 1) {
    const found = await round();
    process.stderr.write(`p50 ${quantile(found, 0.5).toFixed(1)} ms, p99 ${quantile(found, 0.99).toFixed(1)} ms\n`);
    rounds.push(found);
  }
  const rss = tenon.rss();
  await Promise.all([tenon.stop(), receiver.stop()]);
  await close();
  const of = (q: number) => spreadOf(rounds.map((found) => quantile(found, q)));
  return {
    about: `${PER_SECOND} events a second through the admin API to one subscription, ${count} events a round. One process (ROLE=all) with the queue in PostgreSQL. Measured from the timestamp of the event, shortly before its commit, to the receipt of its delivery.`,
    figures: [
      { name: 'commit to receipt, p50', unit: 'ms', most: 10, ...of(0.5) },
      { name: 'commit to receipt, p99', unit: 'ms', most: 30, ...of(0.99) },
      { name: 'RSS', unit: 'MB', median: rss },
    ],
  };
};
