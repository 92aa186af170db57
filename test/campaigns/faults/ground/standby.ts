import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

import type { EmbeddedPostgres } from '../../../../src/adapters/embedded/postgres.ts';
import { until } from '../until.ts';

export interface StandbyOptions {
  /** The primary's address. */
  readonly url: string;
  /** The directory of the primary's own socket. */
  readonly socket: string;
  /** The primary's data directory, and the one that the standby is to have. */
  readonly from: string;
  readonly to: string;
  readonly launch: (dataDir: string, settings: Readonly<Record<string, string>>) => Promise<EmbeddedPostgres>;
}

export interface Standby {
  promote(): Promise<EmbeddedPostgres>;
}

/**
 * A file that changes or goes while it is read is as it should be: the log that the standby reads
 * from the primary has what is missing. So only the end of the second command counts.
 */
const COPY = `tar -C "$1" --warning=none --exclude='./pg_wal/*' --exclude=./postmaster.pid -cf - . | tar -C "$2" -xpf -`;

/** Every commit waits until the standby shows it, but for those that wait for no disk either. */
const WAIT_FOR_STANDBY = [
  `ALTER SYSTEM SET synchronous_commit = 'remote_apply'`,
  `ALTER SYSTEM SET synchronous_standby_names = '*'`,
  'SELECT pg_reload_conf()',
];

const SYNC_MS = 30_000;

/** Copies the running primary: what pg_basebackup does, which is not among the embedded programs. */
const copyOf = async (primary: pg.Client, from: string, to: string): Promise<string> => {
  const [source, cluster] = [join(from, 'postgres'), join(to, 'postgres')];
  const { uid, gid } = await stat(source);
  await mkdir(cluster, { recursive: true, mode: 0o711 });
  await primary.query(`SELECT pg_backup_start('standby', true)`);
  await promisify(execFile)('sh', ['-c', COPY, 'sh', source, cluster]);
  const { rows } = await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  const files = { backup_label: rows[0]?.labelfile ?? '', 'standby.signal': '' };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), uid, gid);
  }
  return cluster;
};

const FOLLOWS = `SELECT FROM pg_stat_replication WHERE state = 'streaming'`;
const IS_WAITED_FOR = `${FOLLOWS} AND sync_state = 'sync'`;

/**
 * Starts a standby of the primary. Resolves once the primary waits for it: what is acknowledged
 * from then on is there when the standby is promoted.
 */
export const openStandby = async ({ url, socket, from, to, launch }: StandbyOptions): Promise<Standby> => {
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  const cluster = await copyOf(primary, from, to);
  // It accepts connections once it is promoted.
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
  for (const sql of WAIT_FOR_STANDBY) await primary.query(sql);
  await becomes(IS_WAITED_FOR);
  await primary.end();
  return {
    promote: async () => {
      const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
      await writeFile(join(cluster, 'promote'), '');
      process.kill(Number(pid), 'SIGUSR1');
      return launched;
    },
  };
};
