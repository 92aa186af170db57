import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { makeTemplate, onEach, startCitus } from '../../../support/citus.ts';
import { freezeServer } from '../../../support/freeze.ts';
import { named } from '../../../support/query-on.ts';
import { query } from '../query.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import { TERMINATE, type Postgres } from './postgres.ts';

/** Server that is killed while the other one has prepared its part of a transaction over both workers. */
export type Phase = 'coordinator' | 'worker';

export interface CitusFaults {
  /** Ends a worker as a crash does, and starts it again after this many milliseconds. */
  killWorker(random: Random, milliseconds: number): Promise<void>;
  /** Moves the shards of some stores of the database to the other worker, while they are used. Whether they are there. */
  moveShards(name: string): Promise<boolean>;
  /**
   * Kills a server between the two phases of a transaction over the stores of this database. Whether a part of it was prepared then; no part is
   * any more when it resolves.
   */
  killBetweenPhases(name: string, which: Phase): Promise<boolean>;
}

const PLACES = `
  SELECT shardid::int AS shard, nodeport AS port FROM citus_shards WHERE table_name = 'stores'::regclass ORDER BY random() LIMIT 1`;
const PORT_OF = `SELECT nodeport AS port FROM citus_shards WHERE shardid = $1`;
const MOVE = `SELECT citus_move_shard_placement($1::bigint, '127.0.0.1', $2::int, '127.0.0.1', $3::int, shard_transfer_mode => 'auto')`;

const OVER_ALL = `UPDATE stores SET name = name || ''`;
const PREPARED = `SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'citus_%' AND database = current_database()`;
/** PREPARE waits for a standby that does not exist. */
const HOLD = ["ALTER SYSTEM SET synchronous_standby_names = 'missing'", 'SELECT pg_reload_conf()'];
const LET_GO = ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'];
const PREPARED_MS = 5_000;
const ENDED_MS = 30_000;

/** A coordinator and two workers in place of one PostgreSQL. */
export const openCitus = async (): Promise<Postgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-faults-citus-'));
  const citus = await startCitus(join(folder, 'nodes'));
  await makeTemplate(citus);
  const { coordinator, workers } = citus;
  const urlOf = (name: string, node: { readonly url: string } = coordinator): string => named(node.url, name);
  const run = async (url: string, texts: readonly string[]): Promise<void> => {
    for (const text of texts) await query(url, text);
  };
  // A campaign that is interrupted leaves no server behind.
  const kill = (): void => {
    for (const { pid } of [coordinator, ...workers]) process.kill(pid(), 'SIGINT');
  };
  process.once('exit', kill);

  const crash = async (): Promise<void> => {
    await coordinator.end('SIGQUIT');
    await coordinator.start();
  };
  const faults: CitusFaults = {
    killWorker: async (random, milliseconds) => {
      const worker = random.pick(workers);
      await worker.end('SIGQUIT');
      await pause(milliseconds);
      await worker.start();
    },
    moveShards: async (name) => {
      const [place] = await query<{ shard: number; port: number }>(urlOf(name), PLACES);
      const target = workers.find(({ port }) => port !== place?.port);
      if (!place || !target) return false;
      await query(urlOf(name), MOVE, [place.shard, place.port, target.port]);
      const [now] = await query<{ port: number }>(urlOf(name), PORT_OF, [place.shard]);
      return now?.port === target.port;
    },
    killBetweenPhases: async (name, which) => {
      const [first, second] = workers as [(typeof workers)[number], (typeof workers)[number]];
      await run(urlOf('postgres', second), HOLD);
      const over = query(urlOf(name), OVER_ALL).catch(() => []);
      const prepared = (): Promise<object[]> => query(urlOf(name, first), PREPARED);
      const isPrepared = await until(async () => (await prepared()).length > 0, PREPARED_MS, 5);
      const victim = which === 'coordinator' ? coordinator : first;
      await victim.end('SIGQUIT');
      await victim.start();
      await run(urlOf('postgres', second), LET_GO);
      await over;
      const isOver = await until(async () => (await prepared()).length === 0, ENDED_MS, 50);
      if (!isOver) throw new Error(`a transaction stays prepared after the ${which} was killed`);
      return isPrepared;
    },
  };
  return {
    citus: faults,
    createDatabase: async (name) => {
      await onEach(citus, `CREATE DATABASE ${name} TEMPLATE tenon STRATEGY FILE_COPY`);
      return urlOf(name);
    },
    dropDatabase: (name) => onEach(citus, `DROP DATABASE ${name} WITH (FORCE)`),
    crash,
    freeze: (milliseconds) => freezeServer(coordinator.pid(), milliseconds),
    terminate: async (name, limit) => {
      const rows = await query(urlOf('postgres'), TERMINATE, [name, limit]);
      return rows.length;
    },
    // On a worker a claim waits for the disk: none is lost.
    crashAfterClaim: async () => {
      await crash();
      return 0;
    },
    bothUrl: () => {
      throw new Error('The nodes of a Citus cluster have no standbys here');
    },
    prepareFailover: () => Promise.reject(new Error('The nodes of a Citus cluster have no standbys here')),
    close: async () => {
      process.off('exit', kill);
      await citus.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
