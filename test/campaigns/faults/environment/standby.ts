import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

import type { EmbeddedPostgres } from '../../../../src/adapters/embedded/postgres.ts';
import { until } from '../until.ts';

/** Until when a commit waits: until the standby shows it, until it is on the standby's disk, or for no standby. */
export type Commits = 'remote_apply' | 'on' | 'local';

export interface StandbyOptions<S extends EmbeddedPostgres> {
  /** The primary's address. */
  readonly url: string;
  /** The directory of a socket that leads to the primary. */
  readonly socket: string;
  /** The primary's data directory, and the one that the standby is to have. Null: it has its data already. */
  readonly from: string | null;
  readonly to: string;
  /** `remote_apply` by default. */
  readonly commits?: Commits;
  readonly launch: (dataDir: string, settings: Readonly<Record<string, string>>) => Promise<S>;
}

export interface Standby<S extends EmbeddedPostgres = EmbeddedPostgres> {
  readonly pid: number;
  /** The directory of its socket. */
  readonly socket: string;
  promote(): Promise<S>;
  /** Ends it, where it is not promoted. */
  end(): Promise<void>;
}

/**
 * A file that changes or goes while it is read is as it should be: the log that the standby reads
 * from the primary has what is missing. So only the end of the second command counts.
 */
const COPY = `tar -C "$1" --warning=none --exclude='./pg_wal/*' --exclude=./postmaster.pid -cf - . | tar -C "$2" -xpf -`;

/** Every commit waits for the standby, but for those that wait for no disk either. */
const waitForStandby = (commits: Commits): readonly string[] => [
  `ALTER SYSTEM SET synchronous_commit = '${commits}'`,
  `ALTER SYSTEM SET synchronous_standby_names = '*'`,
  'SELECT pg_reload_conf()',
];

const SYNC_MS = 30_000;

/** Copies the running primary: what pg_basebackup does, which is not among the embedded programs. */
const copy = async (primary: pg.Client, source: string, cluster: string): Promise<string> => {
  await mkdir(cluster, { recursive: true, mode: 0o711 });
  await primary.query(`SELECT pg_backup_start('standby', true)`);
  await promisify(execFile)('sh', ['-c', COPY, 'sh', source, cluster]);
  const { rows } = await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  return rows[0]?.labelfile ?? '';
};

const become = async (cluster: string, files: Readonly<Record<string, string>>): Promise<void> => {
  const { uid, gid } = await stat(cluster);
  for (const [name, text] of Object.entries({ ...files, 'standby.signal': '' })) {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), uid, gid);
  }
};

const FOLLOWS = `SELECT FROM pg_stat_replication WHERE state = 'streaming'`;
const IS_WAITED_FOR = `${FOLLOWS} AND sync_state = 'sync'`;

/** The lines of this file: its process, and with the fifth the directory of its socket. */
const readPid = async (cluster: string): Promise<readonly string[]> =>
  (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');

/**
 * Starts a standby of the primary. Resolves once the primary waits for it: what is acknowledged
 * from then on is there when the standby is promoted.
 */
export const openStandby = async <S extends EmbeddedPostgres>(options: StandbyOptions<S>): Promise<Standby<S>> => {
  const { url, socket, from, to, commits = 'remote_apply', launch } = options;
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  const cluster = join(to, 'postgres');
  // A former primary waits for nobody once it is promoted, as a copy does.
  if (from === null) await become(cluster, { 'postgresql.auto.conf': '' });
  else await become(cluster, { backup_label: await copy(primary, join(from, 'postgres'), cluster) });
  // The standby accepts connections once it is promoted.
  const launched = launch(to, { primary_conninfo: `host=${socket} user=tenon` });
  let failure: unknown;
  launched.catch((error: unknown) => {
    failure = error;
  });
  const becomes = async (state: string): Promise<void> => {
    const isThere = await until(async () => failure !== undefined || (await primary.query(state)).rowCount === 1, SYNC_MS, 20);
    if (!isThere || failure !== undefined) throw new Error('the standby does not follow the primary', { cause: failure });
  };
  // No commit waits before there is a standby to wait for.
  await becomes(FOLLOWS);
  if (commits !== 'local') {
    for (const sql of waitForStandby(commits)) await primary.query(sql);
    await becomes(IS_WAITED_FOR);
  }
  await primary.end();
  const [pid = '', , , , directory = ''] = await readPid(cluster);
  return {
    pid: Number(pid),
    socket: directory,
    promote: async () => {
      await writeFile(join(cluster, 'promote'), '');
      process.kill(Number(pid), 'SIGUSR1');
      return launched;
    },
    end: async () => {
      process.kill(Number(pid), 'SIGQUIT');
      await launched.catch(() => undefined);
    },
  };
};
