import type { CitusFaults } from '../environment/citus.ts';
import { disturb, hold, type World } from '../world.ts';
import type { Kind } from './kind.ts';

type Fault = (citus: CitusFaults, world: World) => Promise<boolean>;

const onCitus =
  (name: string, fault: Fault) =>
  async (world: World): Promise<readonly string[]> =>
    world.citus !== null && (await fault(world.citus, world)) ? [name] : [];

const noted =
  (note: typeof disturb) =>
  (name: string, fault: Fault) =>
  (world: World): Promise<readonly string[]> =>
    note(world, name, () => onCitus(name, fault)(world));
const disturbing = noted(disturb);
const holding = noted(hold);

export const citusKinds: Readonly<Record<string, Kind>> = {
  'kill-worker': {
    weight: 3,
    needs: 'citus',
    inject: disturbing('worker of Citus stopped at once and restarted', async (citus, { random }) => {
      await citus.killWorker(random, random.between(0, 3_000));
      return true;
    }),
  },
  // At its end writes wait, and Citus looks once a second whether they may continue. None fails.
  'move-shards': {
    weight: 3,
    needs: 'citus',
    inject: holding('shards of Citus moved', (citus, { databaseName }) => citus.moveShards(databaseName)),
  },
  'kill-coordinator-between-phases': {
    weight: 1,
    needs: 'citus',
    inject: disturbing('coordinator of Citus killed between two phases', (citus, { databaseName }) =>
      citus.killBetweenPhases(databaseName, 'coordinator'),
    ),
  },
  'kill-worker-between-phases': {
    weight: 1,
    needs: 'citus',
    inject: disturbing('worker of Citus killed between two phases', (citus, { databaseName }) =>
      citus.killBetweenPhases(databaseName, 'worker'),
    ),
  },
};
