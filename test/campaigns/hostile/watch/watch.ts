import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Shop } from '../support/shop.ts';
import type { Site } from '../support/site.ts';
import type { Meter } from './meter.ts';
import type { Probed, Reading, Setup } from './protocol.ts';

/** Effect of a client on the others since the last look. */
export interface Effect {
  /**
   * Milliseconds for which another request waited or the event loop was blocked, without delays of
   * the machine.
   */
  readonly stallMs: number;
  /** Milliseconds of the longest turn of the event loop, without delays of the machine. */
  readonly turnMs: number;
  /** MB of the process at most, and now. */
  readonly peakRss: number;
  readonly rss: number;
}

export interface Watch {
  read(): Promise<Effect>;
  /** Works like `read`, after the server has collected its garbage. */
  readCollected(): Promise<Effect>;
  close(): void;
}

/** A server, and a store in it that only the prober asks for. */
export interface Watched {
  readonly site: Site;
  readonly meter: Meter;
  readonly shop: Shop;
}

const probedOf = ({ site, shop }: Watched): Probed => ({
  pid: site.pid,
  probes: [
    { url: `${site.url}/healthz`, headers: {} },
    {
      url: `${site.url}/apps/catalog/products`,
      headers: { host: shop.domain, authorization: `Bearer ${shop.apps[0]?.token ?? ''}` },
    },
  ],
});

/**
 * Watches a server under fire: how long other requests wait, how long its event loop is blocked,
 * and how large its process grows.
 *
 * On a busy machine everything waits, and that must not count. The kernel tells for how long a
 * thread was ready to run and had no processor: this time is subtracted from each delay of the
 * event loop, and from the wait of each request. What else the machine is to blame for (a slow
 * disk, a database without a processor) delays a second server as well, which nobody fires at: its
 * longest wait at the same time is subtracted too. A server that is busy by itself gains nothing
 * from either: it has the processor, and its twin answers at once.
 */
export const openWatch = (target: Watched, twin: Watched): Watch => {
  const { attacker } = target.site;
  const child = fork(fileURLToPath(new URL('prober.ts', import.meta.url)));
  const setup: Setup = [probedOf(target), probedOf(twin)];
  child.send(setup);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the prober has ended');
  });
  ended.catch(() => undefined);
  const read = async (): Promise<Effect> => {
    child.send('read');
    const [{ seen, failures }] = (await Promise.race([once(child, 'message'), ended])) as [Reading];
    // After the prober's reading: a stall that lasted beyond the answer has ended by now.
    const [delay, twinDelay] = await Promise.all([target.meter.longestDelayMs(), twin.meter.longestDelayMs()]);
    for (const failure of failures) attacker.violate('wrong answer', `to a request beside hostile ones: ${failure}`);
    const [{ waitMs, peakRss, rss }, beside] = seen;
    const turnMs = Math.max(delay - twinDelay, 0);
    return { stallMs: Math.max(waitMs - beside.waitMs, turnMs), turnMs, peakRss, rss };
  };
  return {
    read,
    readCollected: async () => {
      await target.meter.collectGarbage();
      return read();
    },
    close: () => child.disconnect(),
  };
};
