import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { quantile } from '../../../../bench/support/statistics.ts';
import type { Case } from '../support/campaign.ts';
import { operations } from '../support/operations.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { asApp, type Site } from '../support/site.ts';

const DRIP_MS = 1_000;
/**
 * The server gives a head 10 s and a request 30 s; a second more to look, and one to linger. On a
 * busy machine its timers come late.
 */
const HEAD_MS = 10_000;
const REQUEST_MS = 30_000;
const MARGIN_MS = 15_000;
const BEFORE_MS = 3_000;

interface Sloth {
  /** Milliseconds until the server ended it; null where it did not in time. */
  readonly ended: Promise<number | null>;
  readonly heard: () => string;
  readonly socket: Socket;
}

/** A connection that writes the start, and then a byte a second, until it is ended. */
const sloth = (base: string, start: string, byte: string, patienceMs: number): Sloth => {
  const { hostname, port } = new URL(base);
  const begun = performance.now();
  let text = '';
  let drip: NodeJS.Timeout | undefined;
  const socket = connect(Number(port), hostname, () => {
    socket.write(start);
    drip = setInterval(() => socket.writable && socket.write(byte), DRIP_MS);
  });
  const ended = new Promise<number | null>((resolve) => {
    const late = setTimeout(() => resolve(null), patienceMs);
    socket
      .on('data', (chunk) => (text += chunk.toString('latin1')))
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(late);
        clearInterval(drip);
        resolve(performance.now() - begun);
      });
  });
  return { ended, heard: () => text, socket };
};

/** Heads that never end, and bodies that never end, in turn. */
const slothsOf = (site: Site, shop: Shop, count: number, isShort: boolean): Sloth[] => {
  const start = `POST /apps/webhooks/subscriptions HTTP/1.1\r\nHost: ${shop.domain}\r\n`;
  const authorization = `Authorization: Bearer ${shop.apps[0]?.token ?? ''}\r\n`;
  const whole = `${start}${authorization}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"url":"`;
  return Array.from({ length: count }, (_, index) => {
    const isHead = isShort || index % 2 === 0;
    return isHead
      ? sloth(site.url, `${start}X-Slow: `, 'a', HEAD_MS + MARGIN_MS)
      : sloth(site.url, whole, 'a', REQUEST_MS + MARGIN_MS);
  });
};

/**
 * Measures good requests in milliseconds, one after the other on four connections, until `end` is
 * called.
 */
const wellBehaved = (site: Site, shop: Shop) => {
  const times: number[] = [];
  let isOver = false;
  const ask = asApp(site, shop, shop.apps[0]!);
  const one = async (): Promise<void> => {
    while (!isOver) {
      const begun = performance.now();
      await ask('GET', '/apps/catalog/products', undefined, { what: 'a good request beside slow ones', wanted: [200] });
      times.push(performance.now() - begun);
      await pause(10);
    }
  };
  const done = Promise.all(Array.from({ length: 4 }, one));
  return {
    end: async (): Promise<number[]> => {
      isOver = true;
      await done;
      return times;
    },
  };
};

const p99 = (times: readonly number[]): number => Math.round(quantile(times, 0.99) * 10) / 10;

/**
 * Connections that hold the server up a byte at a time: each ended in time, while good requests are
 * answered as before.
 */
export const slow: Case = {
  about: 'Heads and bodies that arrive at a byte a second, beside good requests.',
  run: async ({ site: openShared, attacker, short }) => {
    const site = await openShared();
    const shop = await openShop(site, operations, 1);
    const alone = wellBehaved(site, shop);
    await pause(short ? BEFORE_MS / 3 : BEFORE_MS);
    const before = await alone.end();
    const rss = site.rss();
    const beside = wellBehaved(site, shop);
    const sloths = slothsOf(site, shop, short ? 100 : 1_000, short);
    const ends = await Promise.all(sloths.map(({ ended }) => ended));
    const during = await beside.end();
    for (const { socket } of sloths) socket.destroy();
    const timedOut = sloths.filter(({ heard }) => heard().startsWith('HTTP/1.1 408 ')).length;
    if (ends.includes(null))
      attacker.violate('hang', `${ends.filter((end) => end === null).length} slow connections were not ended`);
    // A few are cut before they read the answer, because a client that keeps sending is reset.
    const others = sloths.map(({ heard }) => heard()).filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408 '));
    if (others.length > 0)
      attacker.violate('wrong answer', `${others.length} slow requests were answered ${others[0]?.slice(0, 100) ?? ''}`);
    const grown = site.peakRss() - rss;
    return {
      'slow connections': sloths.length,
      'answered with 408': timedOut,
      'time until the last answer, s': Math.round(Math.max(...ends.map((end) => end ?? 0)) / 1000),
      'good requests at the same time': during.length,
      'p99 of good requests before, ms': p99(before),
      'p99 of good requests at the same time, ms': p99(during),
      'memory growth, MB': grown,
    };
  },
};
