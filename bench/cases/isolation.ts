import { setTimeout as pause } from 'node:timers/promises';

import { startChild } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import type { Listening, Manner } from '../support/receiver.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { delays, openShop, sendEvents, subscribe } from '../support/shop.ts';
import { quantile, spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';

const HEALTHY = 20;
const BAD: readonly Manner[] = ['hang', 'drip', 'flood'];
const PER_SECOND = 100;
const EVENTS = { full: 300, short: 40 };
const TIMEOUT_SECONDS = 2;

/** Healthy receivers with and without three beside them that hang, drip and flood. */
export const isolation = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const count = short ? EVENTS.short : EVENTS.full;
  const { databaseUrl, pool, close } = await openEnvironment();
  const receivers = (['prompt', ...BAD] as const).map((manner) => ({ manner, child: startChild('support/receiver.ts') }));
  const [healthy, ...bad] = receivers;
  if (!healthy) throw new Error('there is a prompt one');
  const tenon = await startTenon(databaseUrl, { ROLE: 'all', WEBHOOK_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
  const shops = await Promise.all(Array.from({ length: HEALTHY }, () => openShop(tenon)));
  const { url } = await healthy.child.ask<Listening>({ listen: 'prompt' });
  for (const shop of shops) await subscribe(pool, shop, [url], ['order.paid']);
  const badIds: string[] = [];
  for (const [index, { manner, child }] of bad.entries()) {
    const { url: badUrl } = await child.ask<Listening>({ listen: manner });
    const shop = shops[index];
    if (shop) badIds.push(...(await subscribe(pool, shop, [badUrl], ['order.paid'])));
  }

  let rss = 0;
  const sampling = setInterval(() => (rss = Math.max(rss, tenon.rss())), 100);
  /**
   * The healthy ones' delays; where the bad ones take part, with their breakers closed at the
   * beginning.
   */
  const round = async (withBad: boolean): Promise<number[]> => {
    await pool.query(
      `UPDATE subscriptions SET is_active = $2, failures = 0, failing_since = NULL, probe_at = NULL WHERE id = ANY($1::uuid[])`,
      [badIds, withBad],
    );
    const sent = await sendEvents(
      tenon,
      shops.map(({ storeId }) => storeId),
      { perSecond: PER_SECOND, count },
    );
    const found = await delays(pool, healthy.child, sent);
    // Hanging deliveries end before the others are measured alone.
    if (withBad) {
      await pool.query('UPDATE subscriptions SET is_active = false WHERE id = ANY($1::uuid[])', [badIds]);
      await pause(TIMEOUT_SECONDS * 1000 + 500);
    }
    return found;
  };
  if (!short) for (const withBad of [false, true]) await round(withBad);
  const rounds: { alone: number[]; beside: number[] }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const found = { alone: await round(false), beside: await round(true) };
    process.stderr.write(
      `p95 ${quantile(found.alone, 0.95).toFixed(1)} ms alone, ${quantile(found.beside, 0.95).toFixed(1)} ms beside\n`,
    );
    rounds.push(found);
  }
  clearInterval(sampling);
  await Promise.all([tenon.stop(), ...receivers.map(({ child }) => child.stop())]);
  await close();
  const p95 = (of: 'alone' | 'beside'): number[] => rounds.map((found) => quantile(found[of], 0.95));
  const alone = p95('alone');
  return {
    about: `${HEALTHY} healthy receivers get ${PER_SECOND} events a second in total (ROLE=all), with and without three bad receivers: one hangs, one drips, and one answers 1 GB. WEBHOOK_TIMEOUT_SECONDS=${TIMEOUT_SECONDS}. Measured from commit to receipt at the healthy receivers.`,
    figures: [
      {
        name: 'p95 beside the bad ones to alone',
        unit: 'ratio',
        most: 1.5,
        ...spreadOf(p95('beside').map((time, pair) => time / (alone[pair] ?? NaN))),
      },
      { name: 'p95 alone', unit: 'ms', ...spreadOf(alone) },
      { name: 'p95 beside', unit: 'ms', ...spreadOf(p95('beside')) },
      { name: 'RSS at most', unit: 'MB', most: 300, median: rss },
    ],
  };
};
