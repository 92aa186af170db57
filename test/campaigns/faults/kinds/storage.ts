import { setTimeout as pause } from 'node:timers/promises';

import type { FullFolder } from '../node/commands.ts';
import { until } from '../until.ts';
import { disturb, type World } from '../world.ts';
import type { Kind } from './kind.ts';

/** PostgreSQL stops at once, as at a crash, and starts again. */
const crash = (world: World): Promise<readonly string[]> =>
  disturb(world, 'PostgreSQL crash', async () => {
    await world.postgres.crash();
    return ['PostgreSQL stopped at once and restarted'];
  });

/** A claim does not wait for the disk. A crash right after it loses it, and the key is free. */
const loseClaim = (world: World): Promise<readonly string[]> =>
  disturb(world, 'PostgreSQL crash after a claim', async () => {
    const lost = await world.postgres.crashAfterClaim(world.databaseName);
    return Array.from({ length: lost }, () => 'claim lost by a crash of PostgreSQL');
  });

const terminate = (world: World): Promise<readonly string[]> =>
  disturb(world, 'backends terminated', async () => {
    const ended = await world.postgres.terminate(world.databaseName, 1 + world.random.below(10));
    return Array.from({ length: ended }, () => 'PostgreSQL backend terminated');
  });

const redis = (world: World): Promise<readonly string[]> => {
  const { random } = world;
  const server = world.redis;
  if (!server) return Promise.resolve([]);
  const ways = {
    'Redis killed and restarted': () => server.restart(random.between(0, 3_000)),
    'Redis stopped for a while': () => server.freeze(random.between(300, 3_000)),
    'Redis emptied': () => server.flush(),
  };
  const [name, way] = random.pick(Object.entries(ways));
  return disturb(world, name, async () => {
    // A flush of an empty Redis does not count.
    return (await way()) === 0 ? [] : [name];
  });
};

const FULL_DISKS: Readonly<Record<FullFolder, string>> = {
  media: 'disk full under the media directory',
  incoming: 'disk full where images come in',
};
/** Images come all the time, but a worker that has just been killed is missed for some seconds. */
const FULL_MS = 6_000;

/** No room for images, on all nodes, until one of them has met it and a while longer. */
const diskFull =
  (folder: FullFolder) =>
  (world: World): Promise<readonly string[]> => {
    const { random, fleet } = world;
    const nodes = fleet.slotsOf('worker').flatMap(({ node }) => (node ? [node] : []));
    return disturb(world, FULL_DISKS[folder], async () => {
      for (const node of nodes) node.fillDisk(folder);
      await until(() => nodes.some((node) => node.hasReached()), FULL_MS, 5);
      await pause(random.between(0, 2_000));
      for (const node of nodes) node.fillDisk(null);
      return nodes.filter((node) => node.hasReached()).map(() => FULL_DISKS[folder]);
    });
  };

export const storageKinds: Readonly<Record<string, Kind>> = {
  crash: { weight: 2, inject: crash },
  'lose-claim': { weight: 2, inject: loseClaim },
  terminate: { weight: 1, inject: terminate },
  'media-disk-full': { weight: 1, inject: diskFull('media') },
  'incoming-disk-full': { weight: 0.5, inject: diskFull('incoming') },
  redis: { weight: 2, needs: 'redis', inject: redis },
};
