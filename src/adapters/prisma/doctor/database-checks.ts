import { plural } from '../../../domain/values/plural.ts';
import { liveProcesses } from '../../../domain/insight/processes.ts';
import { processes } from '../insight/processes.ts';
import { clockSkewMs } from '../connection/clock-skew.ts';
import { migrationsCheck } from '../connection/migrate.ts';
import { APPLIED, FOLDER, HAS_TABLE, readMigrations } from '../connection/migrations.ts';
import type { Database } from '../connection/database.ts';
import { SERVER_FACTS } from '../connection/server-facts.ts';
import { failed, fine, warning, type UnnamedFinding } from '../../storage/finding.ts';
import type { ExamineOptions } from '../../storage/storage.ts';

const LEAST_VERSION = 140_000;

/** Judges `server_version_num`, such as 180004. */
export const checkVersion = (number: number): UnnamedFinding => {
  const version = `PostgreSQL ${String(Math.floor(number / 10_000))}.${String(number % 10_000)}`;
  return number >= LEAST_VERSION ? fine(version) : failed(`${version} is too old`, 'Upgrade it to PostgreSQL 14 or later.');
};

export const checkDatabase = async (database: Database): Promise<UnnamedFinding> => {
  const [facts] = await database.rows(SERVER_FACTS);
  return checkVersion(facts?.version ?? 0);
};

/** Times of leases, tokens and deliveries are the database's, those of signatures are the node's. */
const CLOCK_WARNS_MS = 5_000;
const CLOCK_FAILS_MS = 60_000;

export const checkClock = async (database: Database, now: () => number): Promise<UnnamedFinding> => {
  const apart = await clockSkewMs(database, now);
  const message = `${(apart / 1000).toFixed(1)} s between this machine and the database`;
  if (apart < CLOCK_WARNS_MS) return fine(message);
  const remedy = 'Synchronize both clocks with NTP. Receivers refuse signatures whose time is more than 5 minutes off.';
  return apart < CLOCK_FAILS_MS ? warning(message, remedy) : failed(message, remedy);
};

export interface ConnectionFacts {
  /** `max_connections` of the server. */
  readonly maximum: number;
  /** Connections for superusers alone. */
  readonly reserved: number;
  /** Connections of other programs. */
  readonly others: number;
  /** Processes that run now. */
  readonly running: number;
  /** Processes of one node. */
  readonly ofOneNode: number;
  /** Connections of one process. */
  readonly each: number;
}

/** Judges the room for the running processes and for one more node, as during an upgrade. */
export const judgeConnections = (facts: ConnectionFacts): UnnamedFinding => {
  const { maximum, reserved, others, running, ofOneNode, each } = facts;
  const room = Math.floor((maximum - reserved - others) / each);
  const message = `max_connections leaves room for ${String(room)} processes of ${String(each)} connections; ${String(running)} run now`;
  const wanted = Math.max(ofOneNode, running);
  if (room >= wanted + ofOneNode) return fine(message);
  const enough = reserved + others + (wanted + ofOneNode) * each;
  const remedy = `Set max_connections to ${String(enough)} or more, or lower DATABASE_CONNECTIONS.`;
  return room < wanted ? failed(message, remedy) : warning(message, `${remedy} During an upgrade one more node runs.`);
};

export const checkConnections = async (
  database: Database,
  { connections: each, processes: ofOneNode, isEmbedded }: Pick<ExamineOptions, 'connections' | 'processes' | 'isEmbedded'>,
): Promise<UnnamedFinding> => {
  if (isEmbedded) return fine('the embedded PostgreSQL takes as many as the server opens');
  const [facts] = await database.rows(SERVER_FACTS);
  const { maximum = 0, reserved = 0, others = 0 } = facts ?? {};
  const running = liveProcesses((await processes(database).list()).seen).length;
  return judgeConnections({ maximum, reserved, others, running, ofOneNode, each });
};

export const checkMigrations = async (database: Database): Promise<UnnamedFinding> => {
  const [table] = await database.rows(HAS_TABLE);
  const known = await readMigrations(FOLDER);
  const applied = table?.present === true ? await database.rows(APPLIED) : [];
  const foreign = applied.filter(({ name }) => !known.some((migration) => migration.name === name));
  if (foreign.length > 0) {
    return failed(
      `the database has ${plural(foreign.length, 'migration')} that this version does not know`,
      'A newer version of Tenon has used this database. Run that version.',
    );
  }
  if (await migrationsCheck(database)()) {
    const waiting = known.length - applied.length;
    if (waiting === 0) return fine(`all ${String(known.length)} applied`);
    return fine(
      `${String(applied.length)} applied; ${String(waiting)} wait until no older process has been connected for 90 seconds`,
    );
  }
  const missing = known.filter(({ name, checksum }) => !applied.some((one) => one.name === name && one.checksum === checksum));
  return failed(
    `${String(missing.length)} of ${String(known.length)} are missing or changed`,
    'Run tenon migrate, or start the server, which does the same.',
  );
};
