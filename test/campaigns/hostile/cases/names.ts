import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { quantile } from '../../../../bench/support/statistics.ts';
import { startNameServer } from '../../../support/name-server.ts';
import { respond, startReceiver, type Receiver } from '../../../support/receiver.ts';
import type { Case } from '../support/campaign.ts';
import { operations } from '../support/operations.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { asAdmin, asApp, openSite, type Site } from '../support/site.ts';

const PATH = '/apps/webhooks/subscriptions';
const DRY_RUNS_AT_ONCE = 10;
const PATIENCE_MS = 60_000;
/** An app that asks too much gets 429. Nothing of it is an error of the server. */
const ANSWERS = [200, 202, 400, 429];

/** An app names hosts that no name server answers for, in every way that it has, until the attack is ended. */
const attack = (site: Site, shop: Shop) => {
  const ask = asApp(site, shop, shop.apps[0]!);
  const url = () => `https://${randomUUID()}.slow.example.com/`;
  const post = async (path: string, body: object) =>
    ask('POST', path, body, { what: 'a host name that nobody answers', wanted: ANSWERS });
  const target = () => ({ url: url(), eventTypes: ['order.paid'] });
  let isOver = false;
  const again = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) await work();
  };
  const images = () => Array.from({ length: 20 }, () => ({ sourceUrl: url(), productId: shop.products[0] }));
  const done = Promise.all([
    ...Array.from({ length: DRY_RUNS_AT_ONCE }, () => again(() => post(`${PATH}?dryRun=1`, target()))),
    again(() => post(PATH, target())),
    again(() => post('/apps/media/imports', { items: images() }).then(() => pause(1_000))),
  ]);
  return {
    end: async () => {
      isOver = true;
      await done;
    },
  };
};

/** Orders are paid, one after the other. The milliseconds from the request for each to its arrival at the receiver. */
const deliveries = async (site: Site, shop: Shop, receiver: Receiver, count: number): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now();
    const before = receiver.received.length;
    const event = { type: 'order.paid', data: { id: randomUUID() } };
    await asAdmin(site)('POST', `/admin/stores/${shop.id}/events`, event, { wanted: [202] });
    while (receiver.received.length === before && performance.now() - begun < PATIENCE_MS) await pause(1);
    times.push(performance.now() - begun);
    // The receiver closes its connections: each delivery looks the name up.
    if (times.at(-1)! >= PATIENCE_MS) site.attacker.violate('hang', `the delivery ${n} of another app did not arrive`);
  }
  return times;
};

const p50 = (times: readonly number[]): number => Math.round(quantile(times, 0.5));

/** Names that nobody answers cost the app that gives them, and no other. */
export const names: Case = {
  about: 'Host names that no name server answers, beside the deliveries of another app.',
  run: async ({ environment, attacker, short }) => {
    const [server, receiver] = await Promise.all([startNameServer(), startReceiver()]);
    receiver.answer(respond(204, '', { connection: 'close' }));
    server.answer(({ name, type }) => {
      if (name.includes('slow')) return 'silence';
      return name === 'hooks.example.com' ? { addresses: type === 'A' ? ['127.0.0.1'] : [] } : { code: 3 };
    });
    const site = await openSite(environment, attacker, { NAME_SERVERS: server.address, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
    const victim = await openShop(site, operations, 1);
    const slow = await openShop(site, operations, 1);
    const url = `http://hooks.example.com:${receiver.port}/`;
    const subscribe = () =>
      asApp(site, victim, victim.apps[0]!)('POST', PATH, { url, eventTypes: ['order.paid'] }, { wanted: [200] });
    await subscribe();
    while (receiver.received.length === 0) await pause(10);
    const count = short ? 5 : 100;
    const quiet = await deliveries(site, victim, receiver, count);
    const flood = attack(site, slow);
    while (!server.asked.some(({ name }) => name.includes('slow'))) await pause(10);
    const attacked = await deliveries(site, victim, receiver, count);
    await subscribe();
    await flood.end();
    const failed = receiver.received.filter(({ headers }) => headers['webhook-attempt'] !== '1').length;
    if (failed > 0) attacker.violate('wrong answer', `${failed} deliveries of another app needed a second attempt`);
    await site.stop();
    await Promise.all([receiver.close(), server.close()]);
    return {
      'names without an answer': new Set(server.asked.filter(({ name }) => name.includes('slow')).map(({ name }) => name)).size,
      'deliveries of another app at the same time': attacked.length,
      'p50 of its deliveries before, ms': p50(quiet),
      'p50 of its deliveries at the same time, ms': p50(attacked),
    };
  },
};
