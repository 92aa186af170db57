import { timelineOf } from '../../postgres/timeline.ts';
import { serverUrls } from '../../startup/database-url.ts';
import type { ReplicationFigures } from '../../storage/storage.ts';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';
import { statement } from './statement.ts';
import { waitsForStandby } from './synchronous-commit.ts';

/** Whom a commit of this role waits for, and the slots that no standby uses: the server keeps its log for them. */
const SETTINGS = statement({
  text: `
    SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS waits,
      count(*)::int AS "unusedSlots", max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::float8 AS "slotsBehind"
    FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT active`,
  row: { names: 'text', waits: 'text', unusedSlots: 'int4', slotsBehind: 'float8?' },
});

/**
 * Only pg_monitor sees more than the names in pg_stat_replication. Every role sees what a standby
 * with a slot has confirmed. Programs that copy the log cannot be promoted, and neither can a
 * subscriber of a publication.
 */
const STANDBYS = statement({
  text: `
    SELECT r.application_name AS name, r.sync_state AS "syncState",
      pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(r.flush_lsn, s.restart_lsn))::float8 AS behind
    FROM pg_stat_replication r LEFT JOIN pg_replication_slots s ON s.active_pid = r.pid
    WHERE r.application_name NOT IN ('pg_receivewal', 'pg_basebackup') AND coalesce(r.state, 'streaming') IN ('streaming', 'catchup')
      AND s.slot_type IS DISTINCT FROM 'logical'
    ORDER BY r.application_name`,
  row: { name: 'text?', syncState: 'text?', behind: 'float8?' },
});

export interface StandbyState {
  readonly name: string;
  /** Value of pg_stat_replication; null where the role may not see it. */
  readonly syncState: string | null;
  /** Bytes of the log that are not on its disk; null where nobody may see it. */
  readonly behind: number | null;
}

export interface Replication {
  /** `synchronous_standby_names`, and `synchronous_commit` as it is for this role. */
  readonly names: string;
  readonly waits: string;
  readonly standbys: readonly StandbyState[];
  readonly unusedSlots: number;
  readonly slotsBehind: number | null;
}

export const readReplication = async (sql: Sql): Promise<Replication> => {
  const [settings] = await sql.rows(SETTINGS);
  const standbys = await sql.rows(STANDBYS);
  return {
    ...(settings ?? { names: '', waits: 'on', unusedSlots: 0, slotsBehind: null }),
    standbys: standbys.map(({ name, ...state }) => ({ name: name ?? '', ...state })),
  };
};

const METHOD = /^\s*(?:(?:ANY|FIRST)\s+)?(\d+)\s*\((.*)\)\s*$/is;

/**
 * Number of standbys that a commit of this role waits for, and the standbys that may be among them;
 * `*` is any.
 */
const waitedFor = ({ names, waits }: Replication): { readonly count: number; readonly among: readonly string[] } => {
  if (!waitsForStandby(waits)) return { count: 0, among: [] };
  const [, count = '1', list = names] = METHOD.exec(names) ?? [];
  const among = (list.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map((name) => name.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
  return { count: among.length === 0 ? 0 : Number(count), among: among.map((name) => name.toLowerCase()) };
};

/**
 * The standbys that commits wait for: by the server's own word, or by their names where the role may
 * not see that. PostgreSQL compares names without regard to case.
 */
export const synchronous = (replication: Replication): readonly StandbyState[] => {
  const { count, among } = waitedFor(replication);
  if (count === 0) return [];
  const isNamed = (name: string): boolean => among.includes('*') || among.includes(name.toLowerCase());
  return replication.standbys.filter(({ name, syncState }) =>
    syncState === null ? isNamed(name) : syncState === 'sync' || syncState === 'quorum',
  );
};

/** Number of standbys that commits wait for, though they are not connected. */
export const missingSynchronous = (replication: Replication): number =>
  Math.max(waitedFor(replication).count - synchronous(replication).length, 0);

/** Returns figures. A slot without a standby belongs to an expected one. */
export const replicationFigures = (replication: Replication): ReplicationFigures => {
  const { standbys, unusedSlots, slotsBehind } = replication;
  const behind = standbys.map((standby) => standby.behind);
  return {
    standbys: standbys.length,
    standbysMissing: Math.max(missingSynchronous(replication), unusedSlots),
    replicationLagBytes: behind.includes(null) ? null : Math.max(0, slotsBehind ?? 0, ...behind.map(Number)),
  };
};

/** False while writes wait for a standby, or would. */
export const hasStandby = async (database: Database): Promise<boolean> =>
  missingSynchronous(await readReplication(database)) === 0 && !database.isStalled();

export interface WritableServer {
  readonly url: string;
  readonly timeline: number;
}

/** The servers of this DATABASE_URL that take writes: one, unless an old primary still runs. */
export const writableServers = async (url: string): Promise<readonly WritableServer[]> => {
  const servers = await Promise.all(
    serverUrls(url).map(async (one) => ({ url: one, timeline: await timelineOf(one).catch(() => null) })),
  );
  return servers.flatMap(({ url: one, timeline }) => (timeline === null ? [] : [{ url: one, timeline }]));
};
