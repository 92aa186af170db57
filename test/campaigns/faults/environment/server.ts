import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../../src/adapters/embedded/postgres.ts';
import { childrenOf, freeze, freezeServer } from '../../../support/freeze.ts';
import { now, type Moment } from '../history.ts';
import { query } from '../query.ts';
import { until } from '../until.ts';
import { openStandby, type Commits, type Standby } from './standby.ts';

/** A PostgreSQL, or the one that took its place: reached by one address. */
export interface Server {
  /** Address of the database `tenon`. */
  readonly url: string;
  /** Address with both servers as hosts, in place of the one. */
  readonly bothUrl: string;
  /** Immediate stop, as a crash is, and a new start. Resolves once it accepts connections again. */
  crash(): Promise<void>;
  /** Stops all its processes for this many milliseconds. Whether they were stopped to their end. */
  freeze(milliseconds: number): Promise<boolean>;
  /** Makes a standby. Resolves once it follows, and once commits wait for it if they are to. */
  prepareFailover(options?: FailoverOptions): Promise<Failover>;
  stop(): Promise<void>;
}

export interface FailoverOptions {
  /** `remote_apply` by default. */
  readonly commits?: Commits;
  /** The server that ended in order becomes the standby, in place of a new copy. */
  readonly rejoins?: boolean;
}

export interface Failover {
  /** Past every address, so that they always lead to the same server. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** The standby gets nothing any more. */
  cutReplication(): Promise<void>;
  restoreReplication(): Promise<void>;
  /** Ends the old primary; by SIGKILL all its processes. Nothing happens to one that has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** The old primary runs on, and nobody reaches it any more. */
  fence(): Promise<void>;
  /** The address leads to the standby from now on. */
  moveName(): Promise<void>;
  /**
   * Promotes the standby. Resolves once it is reached by the server's address, with the moment at which it took writes.
   */
  promote(): Promise<Moment>;
}

/**
 * Unawaited commits reach the disk late, so that a crash does lose them. A standby that is being
 * copied finds the log since then, and looks for its primary often.
 */
const SETTINGS = { wal_writer_delay: '10s', wal_keep_size: '512MB', wal_retrieve_retry_interval: '100ms' };
const ENDS_MS = 10_000;
const PROMOTED_MS = 60_000;

/** A server with its data directory. */
interface Running extends EmbeddedPostgres {
  readonly dataDir: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The directory of the socket under an address. */
const socketOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';

const at = (url: string, socket: string): string => {
  const moved = new URL(url);
  moved.searchParams.set('host', socket);
  return moved.href;
};

/** The link leads to that directory, from one moment to the next. */
const lead = async (link: string, socket: string): Promise<void> => {
  await symlink(socket, `${link}.new`);
  await rename(`${link}.new`, link);
};

/** Ends the processes of the server of this type, and waits until only those that ask for it are left. */
const terminate = async (url: string, type: 'client backend' | 'walsender'): Promise<void> => {
  const name = 'tenon-faults';
  const asking = new URL(url);
  asking.searchParams.set('application_name', name);
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = '${type}' AND application_name <> '${name}'`;
  const isDone = await until(async () => (await query(asking.href, sql)).length === 0, ENDS_MS);
  if (!isDone) throw new Error(`a ${type} did not end`);
};

const takesWrites = async (url: string): Promise<boolean> => {
  const [row] = await query<{ stands: boolean }>(url, 'SELECT pg_is_in_recovery() AS stands').catch(() => []);
  return row?.stands === false;
};

/**
 * PostgreSQL in its shipped settings, but for those above. Its socket is behind a link, so that the
 * address stays when another server takes over. Two directories take turns.
 */
export const openServer = async (): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-faults-'));
  // The account of the server has to pass.
  await chmod(folder, 0o711);
  const name = join(folder, 'socket');
  const replication = join(folder, 'replication');
  const [first, second] = [join(folder, 'server-1'), join(folder, 'server-2')];
  const hostOf = (dataDir: string): string => `${dataDir}-host`;
  let standby: Standby<Running> | null = null;
  /** The server that was replaced by a promotion. */
  let former: Running | null = null;
  const alive = new Set<number>();

  const launch = async (dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<Running> => {
    let ended = (): void => undefined;
    let mayEnd = false;
    const exited = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const started = await startEmbeddedPostgres({
      dataDir,
      settings: { ...SETTINGS, ...more },
      onUnexpectedExit: (error) => {
        alive.delete(started.pid);
        ended();
        if (!mayEnd) throw error;
      },
    });
    alive.add(started.pid);
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (mayEnd) return;
      mayEnd = true;
      // Nothing comes after it: no new process of a stopped one.
      if (signal === 'SIGKILL') await freeze(started.pid);
      const also = signal === 'SIGKILL' ? await childrenOf(started.pid) : [];
      for (const pid of [started.pid, ...also]) process.kill(pid, signal);
      await exited;
      await started.stop();
    };
    return { ...started, dataDir, end };
  };
  let server = await launch(first);
  await lead(name, socketOf(server.url));
  await lead(hostOf(first), socketOf(server.url));
  // A campaign that is interrupted leaves no server behind.
  const kill = (): void => {
    for (const pid of [...alive, ...(standby ? [standby.pid] : [])]) process.kill(pid, 'SIGINT');
  };
  process.once('exit', kill);

  const url = at(server.url, name);
  return {
    url,
    bothUrl: `postgresql://tenon@${[first, second].map((dir) => encodeURIComponent(hostOf(dir))).join(',')}/tenon?sslmode=disable`,
    crash: async () => {
      await server.end('SIGQUIT');
      server = await launch(server.dataDir);
    },
    freeze: (milliseconds) => freezeServer(server.pid, milliseconds),
    prepareFailover: async ({ commits = 'remote_apply', rejoins = false } = {}) => {
      const from = server.dataDir;
      const to = from === first ? second : first;
      if (!rejoins) await rm(to, { recursive: true, force: true });
      await lead(replication, socketOf(server.url));
      const made = await openStandby({ url, socket: replication, from: rejoins ? null : from, to, commits, launch });
      standby = made;
      former = null;
      await lead(hostOf(to), made.socket);
      const standbyUrl = at(url, made.socket);
      const primaryUrl = server.url;
      return {
        primaryUrl,
        standbyUrl,
        cutReplication: async () => {
          await rm(replication);
          await terminate(primaryUrl, 'walsender');
        },
        restoreReplication: () => lead(replication, socketOf(primaryUrl)),
        end: (signal) => (former ?? server).end(signal),
        fence: async () => {
          await Promise.all([rm(hostOf(from)), rm(name)]);
          await terminate(primaryUrl, 'client backend');
        },
        moveName: () => lead(name, made.socket),
        promote: async () => {
          const promoted = made.promote();
          const took = until(() => takesWrites(standbyUrl), PROMOTED_MS, 5).then((isThere) => {
            if (!isThere) throw new Error('the standby was not promoted');
            return now();
          });
          const [moment] = await Promise.all([took, promoted]);
          standby = null;
          former = server;
          server = await promoted;
          await lead(name, made.socket);
          return moment;
        },
      };
    },
    stop: async () => {
      process.off('exit', kill);
      await standby?.end();
      await former?.end('SIGQUIT');
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
