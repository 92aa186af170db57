import pg from 'pg';

import { UnknownStore, StartFailure } from '../startup/start-failure.ts';
import { unreachable } from '../startup/unreachable.ts';
import type { Shards } from '../storage/shards.ts';
import { messageOf } from '../../domain/values/error.ts';
import { STORE } from './archive/catalogue-statements.ts';
import { readBalance, startBalance, stopBalance } from './connection/citus/balance.ts';
import { isCoordinator, looking, working } from './connection/citus/coordinator.ts';
import { moveShards } from './connection/citus/moves.ts';
import { readGroupId, readGroups, readNodes } from './connection/citus/shard-groups.ts';
import { openDatabase, type Database } from './connection/database.ts';

const reasonOf = (error: unknown): string => {
  if (error instanceof pg.DatabaseError) return [error.message, error.detail].filter(Boolean).join('. ');
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);
};

const refused = (error: unknown): never => {
  throw new StartFailure(`Citus answered: ${reasonOf(error)}`, { cause: error });
};

const shardsOn = (database: Database): Shards => {
  const { pool } = database;
  const ask = <T>(read: (client: pg.ClientBase) => Promise<T>): Promise<T> => looking(pool, read).catch(refused);
  return {
    nodes: () => ask(readNodes),
    groups: () => ask(readGroups),
    placeOf: async (store) => {
      const groups = await ask(readGroups);
      if (groups.length === 0) return null;
      const [found] = await database.rows(STORE, { store }).catch(refused);
      if (found === undefined) throw new UnknownStore(`There is no store with the id or the domain ${store}.`);
      const id = await ask((client) => readGroupId(client, found.id));
      const group = groups.find((one) => one.id === id);
      return group === undefined ? null : { storeId: found.id, domain: found.domain, group };
    },
    move: ({ id, node: from }, to, options) => moveShards(pool, { id, from, to }, options).catch(refused),
    balance: async () => {
      if ((await ask(readBalance))?.state === 'running') return false;
      return working(pool, startBalance).catch(refused);
    },
    balancing: () => ask(readBalance),
    stopBalancing: () => working(pool, stopBalance).catch(refused),
    close: () => database.close(),
  };
};

export const openShards = async (url: string): Promise<Shards | null> => {
  const database = openDatabase({ url, name: 'tenon shards', connections: 2, beginsEpoch: false });
  try {
    if (await looking(database.pool, isCoordinator)) return shardsOn(database);
  } catch (error) {
    await database.close();
    throw unreachable(error);
  }
  await database.close();
  return null;
};
