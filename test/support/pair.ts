import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openStandby, type Standby } from '../campaigns/faults/environment/standby.ts';

export interface Pair {
  readonly primary: EmbeddedPostgres;
  readonly standby: Standby;
  /** Addresses of the standby, and of both in this order: the standby first. */
  readonly standbyUrl: string;
  readonly bothUrl: string;
  /** Starts the promoted standby again, after it was stopped. */
  restart(): Promise<EmbeddedPostgres>;
  end(): Promise<void>;
}

/** The directory of the socket under an address. */
export const socketOf = (url: string): string =>
  decodeURIComponent(new URL(url).searchParams.get('host') ?? new URL(url).hostname);
export const urlAt = (...sockets: readonly string[]): string =>
  `postgresql://tenon@${sockets.map(encodeURIComponent).join(',')}/tenon?sslmode=disable`;

/** A primary and its standby, in folders of their own. */
export const openPair = async (): Promise<Pair> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-pair-'));
  const [from, to] = [join(folder, 'one'), join(folder, 'other')];
  const servers: EmbeddedPostgres[] = [];
  const launch = async (dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({
      dataDir,
      settings: { fsync: 'off', ...settings },
      onUnexpectedExit: () => undefined,
    });
    servers.push(server);
    return server;
  };
  const primary = await launch(from);
  const standby = await openStandby({ url: primary.url, socket: socketOf(primary.url), from, to, launch });
  const { socket } = standby;
  return {
    primary,
    standby,
    standbyUrl: urlAt(socket),
    bothUrl: urlAt(socket, socketOf(primary.url)),
    restart: () => launch(to),
    end: async () => {
      if (servers.length === 1) await standby.promote();
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};
