import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { request } from 'undici';

import { now } from '../faults/history.ts';
import { until } from '../faults/until.ts';

/** The addresses of the shipped files, on the loopback, where a connection comes from 127.0.0.1. */
const shipped = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../deploy/patroni', name), 'utf8')
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('10.0.0.', '127.0.21.');

type Environment = Readonly<Record<string, string>>;

/** Reads a file of lines `NAME=value`, and replaces the name and the address of the first machine. */
const environment = (file: string, changes: Readonly<Record<string, string>> = {}): Environment =>
  Object.fromEntries(
    (shipped(file).match(/^\w+=.*$/gm) ?? []).map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/, 2);
      return [name, Object.entries(changes).reduce((text, [from, to]) => text.replace(from, to), value)];
    }),
  );

const NODES = ['db1', 'db2'] as const;
export type NodeName = (typeof NODES)[number];
const hostOf = (name: NodeName): string => `127.0.21.2${name.slice(-1)}`;
export const otherThan = (name: NodeName): NodeName => (name === 'db1' ? 'db2' : 'db1');
const ETCD = { etcd0: '127.0.21.10', etcd1: '127.0.21.21', etcd2: '127.0.21.22' };

const STARTS_MS = 120_000;

interface Member {
  readonly name: NodeName;
  readonly role: string;
  readonly state: string;
}

export interface Cluster {
  /** Through HAProxy, or to both servers by their names. */
  readonly urls: { readonly haproxy: string; readonly hosts: string };
  /** Resolves once a node is the primary and the other one its synchronous standby. */
  settled(): Promise<NodeName>;
  switchover(): Promise<void>;
  /** Kills Patroni of this node, and its PostgreSQL as well. */
  killNode(name: NodeName): Promise<void>;
  /** Kills Patroni alone: its PostgreSQL runs on, and nobody tells it that another one was promoted. */
  killPatroni(name: NodeName): Promise<void>;
  startNode(name: NodeName): void;
  /** Resolves with the moment at which this standby has become a server that takes writes. */
  promotionOf(name: NodeName): Promise<number>;
  /** Kills all of etcd, and starts it again after the work. */
  withoutEtcd(work: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const accountOf = (user: string): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** etcd, Patroni with PostgreSQL on two nodes, and HAProxy, by the files of deploy/patroni. */
export const openCluster = async (): Promise<Cluster> => {
  const account = accountOf('postgres');
  const makeFolder = (path: string): void => {
    mkdirSync(path, { recursive: true });
    if (account !== null) chownSync(path, account.uid, account.gid);
  };
  const folder = mkdtempSync(join(tmpdir(), 'tenon-patroni-'));
  makeFolder(folder);
  const at = (name: string): string => join(folder, name);
  const running = new Map<string, ChildProcess>();

  // A trial that is interrupted leaves nothing behind.
  process.once('exit', () => {
    for (const child of running.values()) child.kill('SIGTERM');
  });

  const start = (name: string, command: readonly [string, ...string[]], env: Environment = {}): void => {
    const [file, ...args] = command;
    const { PATH = '' } = process.env;
    const log = openSync(at(`${name}.log`), 'a');
    running.set(name, spawn(file, args, { ...account, cwd: folder, env: { PATH, ...env }, stdio: ['ignore', log, log] }));
    closeSync(log);
  };
  const end = async (name: string, signal: NodeJS.Signals): Promise<void> => {
    const child = running.get(name);
    running.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };

  const { ETCD_INITIAL_CLUSTER = '' } = environment('etcd.env');
  const startEtcd = (): void => {
    for (const [name, host] of Object.entries(ETCD)) {
      const own = environment('etcd.env', { etcd0: name, [ETCD.etcd0]: host });
      start(name, ['etcd'], { ...own, ETCD_INITIAL_CLUSTER, ETCD_DATA_DIR: at(name) });
    }
  };
  startEtcd();

  const settingsOf = (name: NodeName): Environment => ({
    ...environment('patroni.env', { db1: name, [hostOf('db1')]: hostOf(name) }),
    PATRONI_POSTGRESQL_DATA_DIR: at(`${name}/data`),
  });
  const patroni = settingsOf('db1');
  for (const name of NODES) {
    makeFolder(at(name));
    writeFileSync(at(`${name}.yml`), shipped('patroni.yml').replace('/var/run/postgresql', at(name)));
  }
  const startNode = (name: NodeName): void => start(name, ['patroni', at(`${name}.yml`)], settingsOf(name));
  NODES.forEach(startNode);

  writeFileSync(at('haproxy.cfg'), shipped('haproxy.cfg').replaceAll('127.0.0.1:5000', '127.0.21.1:5000'));
  start('haproxy', ['haproxy', '-db', '-f', at('haproxy.cfg')]);

  const members = async (): Promise<readonly Member[]> => {
    for (const name of NODES) {
      try {
        const { body } = await request(`http://${hostOf(name)}:8008/cluster`, { headersTimeout: 2_000 });
        return ((await body.json()) as { members: readonly Member[] }).members;
      } catch {
        // The other one may answer.
      }
    }
    return [];
  };
  const settled = async (): Promise<NodeName> => {
    let primary: NodeName | undefined;
    const isSettled = await until(
      async () => {
        const seen = await members();
        primary = seen.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
        return primary !== undefined && seen.some(({ role }) => role === 'sync_standby');
      },
      STARTS_MS,
      200,
    );
    if (!isSettled || primary === undefined) throw new Error(`the cluster has no primary with a standby: see ${folder}`);
    return primary;
  };
  const postgresOf = (name: NodeName): number => Number(readFileSync(at(`${name}/data/postmaster.pid`), 'utf8').split('\n')[0]);
  const asSuperuser = async <T>(host: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({
      host,
      user: 'postgres',
      password: patroni['PATRONI_SUPERUSER_PASSWORD'],
      database: 'postgres',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  const primary = await settled();
  await asSuperuser(hostOf(primary), async (client) => {
    await client.query(`CREATE ROLE tenon LOGIN PASSWORD 'tenon'`);
    await client.query('GRANT pg_monitor TO tenon');
    await client.query('CREATE DATABASE tenon OWNER tenon');
  });
  const urlOf = (hosts: string): string => `postgresql://tenon:tenon@${hosts}/tenon`;
  return {
    urls: { haproxy: urlOf('127.0.21.1:5000'), hosts: urlOf(NODES.map((name) => `${hostOf(name)}:5432`).join(',')) },
    settled,
    switchover: async () => {
      const command = ['-c', at('db1.yml'), 'switchover', '--force'];
      await promisify(execFile)('patronictl', command, { env: { ...process.env, ...patroni } });
    },
    killNode: async (name) => {
      const postmaster = postgresOf(name);
      await end(name, 'SIGKILL');
      process.kill(postmaster, 'SIGKILL');
    },
    killPatroni: (name) => end(name, 'SIGKILL'),
    startNode,
    promotionOf: (name) =>
      asSuperuser(hostOf(name), async (client) => {
        const isPrimary = async (): Promise<boolean> =>
          (await client.query<{ stands: boolean }>('SELECT pg_is_in_recovery() AS stands')).rows[0]?.stands === false;
        if (!(await until(isPrimary, STARTS_MS, 20))) throw new Error(`${name} was not promoted: see ${folder}`);
        return now();
      }),
    withoutEtcd: async (work) => {
      for (const name of Object.keys(ETCD)) await end(name, 'SIGKILL');
      await work();
      startEtcd();
    },
    end: async () => {
      // Patroni stops its PostgreSQL first.
      for (const name of [...NODES, 'haproxy', ...Object.keys(ETCD)]) await end(name, 'SIGTERM');
      // A PostgreSQL whose Patroni was killed still runs.
      for (const name of NODES.filter((one) => existsSync(at(`${one}/data/postmaster.pid`))))
        process.kill(postgresOf(name), 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
