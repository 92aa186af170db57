import { setTimeout as pause } from 'node:timers/promises';

import { now } from '../history.ts';
import type { World } from '../world.ts';
import type { Kind } from './kind.ts';
import { comeBack, duringOutage } from './outage.ts';

// Lasting faults end no connection: the other side of a socket is there and is silent.

const SILENT_MS = 15_000;
const GONE_MS = 5_000;
const POSTGRES_STOPPED_MS = 30_000;
const REDIS_STOPPED_MS = 12_000;

/**
 * The ways of all nodes to the database go silent: open connections for good, and for a time those
 * that are opened, where `newToo` says so.
 */
const silence =
  (kind: string, newToo: boolean) =>
  (world: World): Promise<readonly string[]> =>
    duringOutage(world, { kind, of: 'PostgreSQL' }, async (outage) => {
      const proxies = world.fleet.slots.map(({ proxy }) => proxy);
      const before = proxies.map(({ swallowed }) => swallowed());
      try {
        for (const proxy of proxies) proxy.fallSilent({ newToo });
        outage.from = now();
        outage.isHidden = !newToo;
        if (newToo) await pause(SILENT_MS);
        for (const proxy of proxies) proxy.speak();
        await comeBack(world, outage);
      } finally {
        for (const proxy of proxies) proxy.cut();
      }
      return proxies.every(({ swallowed }, at) => swallowed() > (before[at] ?? 0));
    });

/**
 * The host of the database is gone without a packet: nothing comes back, no RST either. Its standby
 * is promoted, and the name leads to it.
 */
const vanish = (world: World): Promise<readonly string[]> =>
  duringOutage(world, { kind: 'PostgreSQL gone without a packet, its name moved', of: 'PostgreSQL' }, async (outage) => {
    const { network, postgres } = world;
    if (!network) return false;
    const failover = await postgres.prepareFailover();
    const before = await network.dropped();
    const putBack = await network.dropPackets();
    outage.from = now();
    try {
      await failover.end('SIGKILL');
      await pause(GONE_MS);
      await failover.promote();
      await network.moveName();
      await comeBack(world, outage);
    } finally {
      await putBack();
    }
    return (await network.dropped()) > before;
  });

const stopPostgres = (world: World): Promise<readonly string[]> =>
  duringOutage(world, { kind: 'SIGSTOP of PostgreSQL for 30 s', of: 'PostgreSQL' }, async (outage) => {
    const landed = await world.postgres.freeze(POSTGRES_STOPPED_MS);
    await comeBack(world, outage);
    return landed;
  });

const hangRedis = (world: World): Promise<readonly string[]> =>
  duringOutage(world, { kind: 'Redis stopped for 12 s', of: 'Redis' }, async (outage) => {
    const landed = (await world.redis?.freeze(REDIS_STOPPED_MS)) ?? false;
    outage.returnedAt = now();
    return landed;
  });

/** Each takes about half a minute. */
export const lastingKinds: Readonly<Record<string, Kind>> = {
  'hang-redis': { weight: 1, needs: 'redis', inject: hangRedis },
  silent: { weight: 1, inject: silence('relay silent', false) },
  'silent-to-all': { weight: 1, inject: silence('relay silent, to new connections too', true) },
  vanish: { weight: 1, needs: 'network', inject: vanish },
  'stop-postgres': { weight: 1, inject: stopPostgres },
};
