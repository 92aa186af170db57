import { disturb } from '../world.ts';
import type { World } from '../world.ts';
import type { Kind } from './kind.ts';

/** PostgreSQL stops at once, as at a crash, and starts again. */
const crash = (world: World): Promise<readonly string[]> =>
  disturb(world, 'PostgreSQL crash', async () => {
    await world.postgres.crash();
    return ['PostgreSQL stopped at once and restarted'];
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
    // A flush of nothing is no fault.
    return (await way()) === 0 ? [] : [name];
  });
};

export const storageKinds: Readonly<Record<string, Kind>> = {
  crash: { weight: 2, inject: crash },
  terminate: { weight: 1, inject: terminate },
  redis: { weight: 2, applies: (world) => world.redis !== null, inject: redis },
};
