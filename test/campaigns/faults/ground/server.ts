import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../../src/adapters/embedded/postgres.ts';
import { childrenOf, freeze, whileFrozen } from '../../../support/freeze.ts';
import { openStandby } from './standby.ts';

/** A PostgreSQL, or the one that took its place: reached by one address. */
export interface Server {
  /** Of the database `tenon`. */
  readonly url: string;
  /** Immediate stop, as a crash is, and a new start. Resolves once it accepts connections again. */
  crash(): Promise<void>;
  /** Stops all its processes for this many milliseconds. Whether they were stopped to their end. */
  freeze(milliseconds: number): Promise<boolean>;
  /**
   * Makes a standby. From when this resolves, the server acknowledges a commit once the standby shows
   * it.
   */
  prepareFailover(): Promise<Failover>;
  stop(): Promise<void>;
}

export interface Failover {
  /** Kills the server, all its processes. */
  kill(): Promise<void>;
  /** Promotes the standby. Resolves once it accepts writes under the server's address. */
  promote(): Promise<void>;
}

/**
 * What nobody waits for reaches the disk late, so that a crash does lose it. A standby that is being
 * copied finds the log since then.
 */
const SETTINGS = { wal_writer_delay: '10s', wal_keep_size: '512MB' };

/** The directory of the socket under an address. */
const socketOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';

const at = (url: string, socket: string): string => {
  const moved = new URL(url);
  moved.searchParams.set('host', socket);
  return moved.href;
};

/**
 * PostgreSQL in its shipped settings, but for those above. Its socket is behind a link, so that the
 * address stays when another server takes over.
 */
export const openServer = async (): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-faults-'));
  // The account of the server has to pass.
  await chmod(folder, 0o711);
  const link = join(folder, 'socket');
  let ending: (() => void) | undefined;
  let servers = 1;
  let dataDir = join(folder, 'server-1');

  const launch = (of: string, more: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir: of,
      settings: { ...SETTINGS, ...more },
      onUnexpectedExit: (error) => {
        if (!ending) throw error;
        ending();
      },
    });
  let server = await launch(dataDir);
  await symlink(socketOf(server.url), link);
  // A campaign that is interrupted leaves no server behind.
  const kill = (): void => void process.kill(server.pid, 'SIGINT');
  process.once('exit', kill);

  /** Ends it by this signal. Resolves once it has ended. */
  const end = async (signal: NodeJS.Signals, also: readonly number[] = []): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      ending = resolve;
    });
    for (const pid of [server.pid, ...also]) process.kill(pid, signal);
    await ended;
    await server.stop();
    ending = undefined;
  };
  const url = at(server.url, link);
  return {
    url,
    crash: async () => {
      await end('SIGQUIT');
      server = await launch(dataDir);
    },
    freeze: async (milliseconds) => {
      // Nothing comes after it: no new process of a stopped one.
      await freeze(server.pid);
      return whileFrozen([...(await childrenOf(server.pid)), server.pid], () => pause(milliseconds));
    },
    prepareFailover: async () => {
      servers += 1;
      const next = join(folder, `server-${servers}`);
      const standby = await openStandby({ url, socket: socketOf(server.url), from: dataDir, to: next, launch });
      return {
        kill: async () => {
          await freeze(server.pid);
          await end('SIGKILL', await childrenOf(server.pid));
        },
        promote: async () => {
          server = await standby.promote();
          await symlink(socketOf(server.url), `${link}.new`);
          await rename(`${link}.new`, link);
          await rm(dataDir, { recursive: true, force: true });
          dataDir = next;
        },
      };
    },
    stop: async () => {
      process.off('exit', kill);
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
