import { setTimeout as pause } from 'node:timers/promises';

import { quantile } from '../../../../bench/support/statistics.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { ENFORCED_SCOPES } from '../../../../src/domain/identity/scope.ts';
import type { Case } from '../support/campaign.ts';
import { operations } from '../support/operations.ts';
import type { Answer } from '../support/attacker.ts';
import { installApp, openShop, type Shop } from '../support/shop.ts';
import { asAdmin, asApp, openSite, type Ask, type Site } from '../support/site.ts';

/** Limits of each app, a second and at once: low enough that the machine could do twice the sum. */
const PER_SECOND = 2;
const BURST = 4;
const WINDOW_MS = (BURST / PER_SECOND) * 1000;
const APPS = 50;
/** Well-behaved apps, at less than half of what is theirs. */
const OTHERS_PER_SECOND = 0.8;
const OTHERS = 10;
/** A client has not more under way than this, however deaf it is. */
const MOST_UNDER_WAY = 20;
const PATIENCE_MS = 60_000;
/**
 * How much longer the others may wait when the crowd asks for twice what it may, in place of what
 * it may.
 */
const MOST_RATIO = 1.5;
const LIST = '/apps/catalog/products';

type Apps = readonly { readonly token: string }[];

interface Tally {
  readonly times: number[];
  allowed: number;
  limited: number;
  /** 429 for a request that had waited for Retry-After. */
  untrue: number;
  waits: number;
  mostQueued: number;
}

const aTally = (): Tally => ({ times: [], allowed: 0, limited: 0, untrue: 0, waits: 0, mostQueued: 0 });

/**
 * Reads mostly; each tenth request changes a product, which causes an event and a delivery. `lane`:
 * connections that others do not fill.
 */
const oneRequest = (ask: Ask, shop: Shop, index: number, lane: string): Promise<Answer> => {
  const more = { what: 'load', wanted: [200, 429], lane };
  if (index % 10 !== 0) return ask('GET', `${LIST}?take=10`, undefined, more);
  const products = [{ id: shop.products[index % shop.products.length], metaTitle: `Load ${index}` }];
  return ask('POST', `${LIST}/bulk`, { products }, more);
};

/** Sends at a steady rate until the end, independent of the answers. */
const steady = async (perSecond: number, until: number, send: (index: number) => Promise<unknown>): Promise<void> => {
  const begun = performance.now() + (Math.random() * 1000) / perSecond;
  const sent: Promise<unknown>[] = [];
  for (let index = 0; ; index += 1) {
    const at = begun + (index * 1000) / perSecond;
    if (at > until) break;
    await pause(Math.max(0, at - performance.now()));
    sent.push(send(index));
  }
  await Promise.all(sent);
};

const count = (tally: Tally, { status }: Answer): void => {
  if (status === 429) tally.limited += 1;
  else tally.allowed += 1;
};

/** Continues at its rate and ignores Retry-After. */
const deaf = (ask: Ask, shop: Shop, perSecond: number, until: number, tally: Tally): Promise<void> => {
  let underWay = 0;
  return steady(perSecond, until, async (index) => {
    if (underWay >= MOST_UNDER_WAY) return;
    underWay += 1;
    count(tally, await oneRequest(ask, shop, index, 'crowd'));
    underWay -= 1;
  });
};

/**
 * Waits at least this long. A timer counts from the start of its turn of the event loop, which may
 * be earlier under load.
 */
const fully = async (ms: number): Promise<void> => {
  const end = performance.now() + ms;
  for (let left = ms; left > 0; left = end - performance.now()) await pause(left);
};

/**
 * Seconds until the window ends that this answer was the last of, by its RateLimit: the answers of
 * a burst may be of two windows.
 */
const exhausted = ({ headers }: Answer): number => Number(/r=0;t=(\d+)/.exec(String(headers['ratelimit']))?.[1] ?? 0);

/**
 * Sends more than a burst at the same time, on average at its rate. After a 429 it waits, and the
 * next request must be accepted.
 */
const obedient = async (site: Site, ask: Ask, shop: Shop, perSecond: number, until: number, tally: Tally): Promise<void> => {
  const size = Math.ceil(perSecond * (WINDOW_MS / 1000));
  for (let index = 0; performance.now() < until; index += size) {
    const rest = pause(WINDOW_MS);
    const answers = await Promise.all(Array.from({ length: size }, (_, k) => oneRequest(ask, shop, index + k, 'crowd')));
    for (const answer of answers) count(tally, answer);
    const limited = answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers['retry-after']));
    const odd = limited.filter((seconds) => !Number.isInteger(seconds) || seconds < 1 || seconds > WINDOW_MS / 1000);
    if (odd.length > 0) site.attacker.violate('wrong answer', `Retry-After of a 429 is ${odd.join(', ')}`);
    if (limited.length > 0) {
      await fully(Math.max(...limited, ...answers.map(exhausted)) * 1000);
      tally.waits += 1;
      const next = await oneRequest(ask, shop, index, 'crowd');
      if (next.status === 429) tally.untrue += 1;
      count(tally, next);
    }
    await rest;
  }
};

/** Reads the number of waiting deliveries from the metrics. */
const queued = async (site: Site): Promise<number> => {
  const { body } = await asAdmin(site)('GET', '/metrics', undefined, { wanted: [200] });
  return Number(/^tenon_webhook_deliveries_queued (\d+)/m.exec(body)?.[1] ?? NaN);
};

/**
 * The apps at this rate, half of them deaf to Retry-After, beside the well-behaved ones, whose
 * times are taken.
 */
const round = async (site: Site, shop: Shop, apps: Apps, others: Apps, perSecond: number, ms: number): Promise<Tally> => {
  const tally = aTally();
  const until = performance.now() + ms;
  const crowd = apps.map(({ token }, index) => {
    const ask = asApp(site, shop, { token });
    return index % 2 === 0 ? deaf(ask, shop, perSecond, until, tally) : obedient(site, ask, shop, perSecond, until, tally);
  });
  const beside = others.map(({ token }) =>
    steady(OTHERS_PER_SECOND, until, async (index) => {
      const begun = performance.now();
      const { status } = await oneRequest(asApp(site, shop, { token }), shop, index + 1, 'others');
      tally.times.push(performance.now() - begun);
      if (status !== 200) site.attacker.violate('wrong answer', `${status} to an app within its limit`);
    }),
  );
  const look = steady(1, until, async () => (tally.mostQueued = Math.max(tally.mostQueued, await queued(site))));
  await Promise.all([...crowd, ...beside, look]);
  return tally;
};

/** Milliseconds until the queue is empty; null where it is not in time. */
const emptied = async (site: Site): Promise<number | null> => {
  const begun = performance.now();
  while ((await queued(site)) > 0) {
    if (performance.now() - begun > PATIENCE_MS) return null;
    await pause(250);
  }
  return Math.round(performance.now() - begun);
};

const p99 = (times: readonly number[]): number => Math.round(quantile(times, 0.99) * 10) / 10;

/**
 * Fifty apps at once: alone, at what they may, at twice what they may; and afterwards, without a
 * restart, as if nothing had been.
 */
export const load: Case = {
  about: `${APPS} apps send at twice their limit of ${PER_SECOND}/s, and half of them ignore Retry-After. ${OTHERS} other apps stay within their limits.`,
  run: async ({ environment, attacker, short }) => {
    const receiver = await startReceiver();
    const limits = {
      RATE_LIMIT_PER_SECOND: String(PER_SECOND),
      RATE_LIMIT_BURST: String(BURST),
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    };
    const site = await openSite(environment, attacker, limits);
    const shop = await openShop(site, operations, 1);
    const install = (size: number) => Promise.all(Array.from({ length: size }, () => installApp(site, shop, ENFORCED_SCOPES)));
    // The subscriptions lead nowhere, and would wait in the queue for days.
    await asApp(site, shop, shop.apps[0]!)('DELETE', `/apps/webhooks/subscriptions/${shop.apps[0]!.subscription}`);
    await asAdmin(site)('DELETE', `/admin/stores/${shop.id}/webhooks/subscriptions/${shop.merchantSubscription}`);
    const [apps, others] = [await install(short ? 10 : APPS), await install(OTHERS)];
    const hook = { url: receiver.url, eventTypes: ['product.updated'] };
    await asApp(site, shop, others[0]!)('POST', '/apps/webhooks/subscriptions', hook, { wanted: [200] });
    const beforeMs = short ? 1_000 : 30_000;
    const alone = await round(site, shop, [], others, PER_SECOND, beforeMs);
    const within = await round(site, shop, apps, others, PER_SECOND * 0.9, beforeMs);
    const rss = site.rss();
    const over = await round(site, shop, apps, others, PER_SECOND * 2, short ? 4_000 : 300_000);
    const drained = await emptied(site);
    if (drained === null) attacker.violate('hang', 'the queue did not empty after the load');
    if (over.limited === 0) attacker.violate('wrong answer', 'nobody was limited at twice the limit');
    if (over.untrue > 0)
      attacker.violate('wrong answer', `${over.untrue} of ${over.waits} that waited for Retry-After got 429 again`);
    await pause(WINDOW_MS);
    await Promise.all(apps.map(({ token }) => asApp(site, shop, { token })('GET', LIST, undefined, { wanted: [200] })));
    const after = await round(site, shop, [], others, PER_SECOND, beforeMs);
    const ratio = p99(over.times) / p99(within.times);
    // In the short form there are too few for a hundredth to mean anything.
    if (!short && ratio > MOST_RATIO)
      attacker.violate('wrong answer', `the others' p99 is ${ratio} times as long at twice the limit`);
    const grown = site.peakRss() - rss;
    await site.stop();
    await receiver.close();
    const rounds = {
      alone,
      'beside apps within their limit': within,
      'beside apps at twice their limit': over,
      afterwards: after,
    };
    return {
      ...Object.fromEntries(Object.entries(rounds).map(([name, { times }]) => [`p99 of the other apps ${name}, ms`, p99(times)])),
      'ratio of twice the limit to within it': Math.round(ratio * 100) / 100,
      accepted: over.allowed,
      'refused with 429': over.limited,
      'waited for Retry-After': over.waits,
      'refused after that wait': over.untrue,
      'most requests in the queue': over.mostQueued,
      'time until the queue was empty, ms': drained ?? 'never',
      'deliveries received': receiver.received.length,
      'memory growth, MB': grown,
    };
  },
};
