import { until } from '../until.ts';
import { disturb, type World } from '../world.ts';
import type { Kind } from './kind.ts';

const COMMIT_MS = 3_000;
const CONNECT_MS = 3_000;

/** PostgreSQL commits, and the process that asked for it never hears of it. */
const loseCommit = async (world: World): Promise<readonly string[]> => {
  const slot = world.random.pick(world.fleet.slotsOf('api'));
  return disturb(world, 'COMMIT answer lost', async () => {
    let landed = false;
    void slot.proxy.loseAnswerTo('COMMIT').then(() => {
      landed = true;
    });
    return (await until(() => landed, COMMIT_MS, 2)) ? ['answer to COMMIT dropped'] : [];
  });
};

/** All connections of one process to the database end at once. */
const cut = async (world: World): Promise<readonly string[]> => {
  const slot = world.random.pick(world.fleet.slots);
  return disturb(world, 'connections cut', async () => {
    let connections = 0;
    // A process that has just started has not connected yet.
    await until(() => (connections = slot.proxy.cut()) > 0, CONNECT_MS, 2);
    return Array.from({ length: connections }, () => 'connection to PostgreSQL cut');
  });
};

export const networkKinds: Readonly<Record<string, Kind>> = {
  'lose-commit': { weight: 16, inject: loseCommit },
  cut: { weight: 1, inject: cut },
};
