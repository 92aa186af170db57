import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Door } from '../../../support/tcp-proxy.ts';
import type { Command } from './spares.ts';

/**
 * A network of its own in which the database is, and a name that leads to one of the database's two
 * addresses there.
 */
export interface Network {
  /** Another socket in it that listens, on both addresses. */
  listen(): Promise<Door>;
  /** The command in surroundings where the name is known. */
  knowingTheName(command: Command): Command;
  /**
   * The address to which the name leads is gone: packets to it are dropped in silence, and none
   * comes from it. Returns how to put it back.
   */
  dropPackets(): Promise<() => Promise<void>>;
  /** The packets that were dropped, of all time. */
  dropped(): Promise<number>;
  /** From now on the name leads to the other address. */
  moveName(): Promise<void>;
  close(): void;
}

const NAME = 'database.tenon.test';
/** The end of the wire in the network. */
const INSIDE = 'inside';
const [OUTSIDE_MAC, INSIDE_MAC] = ['02:00:00:00:00:01', '02:00:00:00:00:02'];

/** 198.18.0.0/15 is for tests of networks. Campaigns beside each other take eight addresses each. */
const addressOf = (pid: number, host: number): string => {
  const number = (pid % 16_384) * 8 + host;
  return [198, 18 + (number >> 16), (number >> 8) & 255, number & 255].join('.');
};

const run = async (command: string, ...args: readonly string[]): Promise<void> => {
  await promisify(execFile)(command, args);
};

/** Names of hosts in a file that only processes from there see. */
const KNOWING = 'mount --bind "$1" /etc/hosts && shift && exec "$@"';
const hostsOf = (address: string): string => `127.0.0.1 localhost\n${address} ${NAME}\n`;

/** Two ends of a wire: one here, the other in the network of that process. */
const connect = async (pid: number, here: string, addresses: readonly string[]): Promise<void> => {
  const outside = `tnf${String(process.pid)}`;
  const within = (...args: readonly string[]): Promise<void> => run('nsenter', '-t', String(pid), '-n', 'ip', ...args);
  const peer = ['type', 'veth', 'peer', 'name', INSIDE, 'address', INSIDE_MAC, 'netns', String(pid)];
  await run('ip', 'link', 'add', outside, 'address', OUTSIDE_MAC, ...peer);
  await run('ip', 'address', 'add', `${here}/29`, 'dev', outside);
  await run('ip', 'link', 'set', outside, 'up');
  await within('link', 'set', INSIDE, 'up');
  await within('route', 'add', `${here}/32`, 'dev', INSIDE);
  // Nobody asks who has an address, and so nobody notices that it is gone.
  await within('neighbour', 'add', here, 'lladdr', OUTSIDE_MAC, 'dev', INSIDE, 'nud', 'permanent');
  for (const address of addresses) {
    await within('address', 'add', `${address}/32`, 'dev', INSIDE);
    await run('ip', 'neighbour', 'add', address, 'lladdr', INSIDE_MAC, 'dev', outside, 'nud', 'permanent');
  }
};

/** Counted for packets to an address that nobody has. */
const unclaimed = async (pid: number): Promise<number> => {
  const [names = [], values = []] = (await readFile(`/proc/${String(pid)}/net/snmp`, 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('InAddrErrors')]);
};

/** `listener` is the process that the network is for; `folder` is for the file with the name. */
const open = async (listener: string, folder: string): Promise<Network> => {
  const hosts = join(folder, 'hosts');
  const [here, ...addresses] = [1, 2, 3].map((host) => addressOf(process.pid, host)) as [string, string, string];
  const child = spawn('unshare', ['--net', '--', process.execPath, listener], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const failed = Promise.race([once(child, 'error'), once(child, 'exit')]).then((): never => {
    throw new Error('the process in the network ended');
  });
  failed.catch(() => undefined);
  const told = <T>(): Promise<[string, T]> => Promise.race([once(child, 'message') as Promise<[string, T]>, failed]);
  await told();
  const pid = child.pid ?? 0;
  await connect(pid, here, addresses);
  let [at, other] = addresses;
  await writeFile(hosts, hostsOf(at));
  const address = (action: 'add' | 'delete', one: string): Promise<void> =>
    run('nsenter', '-t', String(pid), '-n', 'ip', 'address', action, `${one}/32`, 'dev', INSIDE);
  return {
    listen: async () => {
      const reported = told<Server>();
      child.send('listen');
      const [, server] = await reported;
      return { server, host: NAME };
    },
    knowingTheName: (command) => ['unshare', '--mount', '--', 'sh', '-c', KNOWING, 'sh', hosts, ...command],
    dropPackets: async () => {
      const gone = at;
      await address('delete', gone);
      return () => address('add', gone);
    },
    dropped: () => unclaimed(pid),
    moveName: async () => {
      [at, other] = [other, at];
      // The file keeps its length, so that nobody reads half of it.
      await writeFile(hosts, hostsOf(at), { flag: 'r+' });
    },
    close: () => void child.kill(),
  };
};

/**
 * Null where the machine makes no networks, which takes root; its faults are skipped then. Under
 * CI=true root must be able to make one.
 */
export const openNetwork = async (listener: string, folder: string): Promise<Network | null> => {
  try {
    return await open(listener, folder);
  } catch (error) {
    if (process.env['CI'] === 'true' && process.geteuid?.() === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    console.warn(`SKIPPED: the fault vanish. It needs root, iproute2 and util-linux, to make a network: ${why}`);
    return null;
  }
};
