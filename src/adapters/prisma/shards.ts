import { UnknownStore, StartFailure, unreachable } from '../startup/start-failure.ts';
import type { Shards } from '../storage/shards.ts';
import { STORE_RECORD } from './archive/catalogue-statements.ts';
import { readBalance, startBalance, stopBalance } from './connection/citus/balance.ts';
import { isCoordinator, looking, coordinatorReasonOf, working, type Connection } from './connection/citus/coordinator.ts';
import { moveShards } from './connection/citus/moves.ts';
import { readGroupId, readGroups, readNodes } from './connection/citus/shard-groups.ts';
import { openDatabase, type Database } from './connection/database.ts';

const refused = (error: unknown): never => {
  throw new StartFailure(`Citus answered: ${coordinatorReasonOf(error)}`, { cause: error });
};

const shardsOn = (database: Database): Shards => {
  const ask = <T>(read: (client: Connection) => Promise<T>): Promise<T> => looking(database, read).catch(refused);
  return {
    nodes: () => ask(readNodes),
    groups: () => ask(readGroups),
    placeOf: async (store) => {
      const groups = await ask(readGroups);
      if (groups.length === 0) return null;
      const [found] = await database.rows(STORE_RECORD, { store }).catch(refused);
      if (found === undefined) throw new UnknownStore(`There is no store with the id or the domain ${store}.`);
      const id = await ask((client) => readGroupId(client, found.id));
      const group = groups.find((one) => one.id === id);
      return group === undefined ? null : { storeId: found.id, domain: found.domain, group };
    },
    move: ({ id, node: from }, to, options) => moveShards(database, { id, from, to }, options).catch(refused),
    balance: async () => {
      if ((await ask(readBalance))?.state === 'running') return false;
      return working(database, startBalance).catch(refused);
    },
    balancing: () => ask(readBalance),
    stopBalancing: () => working(database, stopBalance).catch(refused),
    close: () => database.close(),
  };
};

export const openShards = async (url: string): Promise<Shards | null> => {
  const database = openDatabase({ url, name: 'tenon shards', connections: 2, beginsEpoch: false });
  try {
    if (await looking(database, isCoordinator)) return shardsOn(database);
  } catch (error) {
    await database.close();
    throw unreachable(error);
  }
  await database.close();
  return null;
};
