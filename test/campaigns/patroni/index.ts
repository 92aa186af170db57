import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';

import { exitOnSignals } from '../../../src/adapters/startup/stop-signals.ts';
import { built } from '../../support/built.ts';
import { CAMPAIGN_SETTINGS } from '../../support/campaign-settings.ts';
import { now } from '../faults/history.ts';
import { until } from '../faults/until.ts';
import { readArguments } from '../kit/arguments.ts';
import { ADMIN_TOKEN } from '../kit/merchant.ts';
import { startListening } from '../kit/started.ts';
import type { Node } from '../readers/client.ts';
import { openCluster, otherThan, type Cluster, type NodeName } from './cluster.ts';
import { startLoad, type Load } from './load.ts';

const USAGE = `npm run patroni -- [--address=haproxy|hosts]

Tries deploy/patroni with a server under load: a switchover, a primary that is killed, one whose Patroni alone is killed, and
etcd that is away.
It needs Debian's patroni, python3-etcd, etcd-server, haproxy and postgresql-15, and runs as root or as postgres.
--address is the way of the server to the database: through HAProxy, or to both hosts.
`;
const { values, fail } = readArguments(USAGE, { address: { type: 'string', default: 'haproxy' } });
if (!['haproxy', 'hosts'].includes(values.address)) fail('--address is haproxy or hosts.');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const startTenon = async (databaseUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-of-patroni-'));
  const paths = { DATA_DIR: folder, MEDIA_STORAGE: join(folder, 'media') };
  const env = { ...CAMPAIGN_SETTINGS, ...paths, ADMIN_TOKEN, DATABASE_URL: databaseUrl };
  const main = join(built(), 'src/main.js');
  const { url, adminUrl, stop } = await startListening({ args: [main, 'start'], cwd: folder, env, onLine: () => undefined });
  const agent = new Agent({ connections: 16, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const node: Node = { url, adminUrl, agent };
  return {
    node,
    tenon: (command: string) =>
      execFileSync(process.execPath, [main, command], {
        env: { ...process.env, ...env, TENON_ADMIN_URL: adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN },
        encoding: 'utf8',
      }),
    end: async () => {
      await stop();
      await agent.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

interface Step {
  readonly name: string;
  /** Returns once it is done, which may be before the promotion. */
  readonly strike: (cluster: Cluster, primary: NodeName) => Promise<void>;
  readonly mend: (cluster: Cluster, primary: NodeName) => void;
}

const STEPS: readonly Step[] = [
  { name: 'switchover', strike: (cluster) => cluster.switchover(), mend: () => undefined },
  {
    name: 'primary killed',
    strike: (cluster, primary) => cluster.killNode(primary),
    mend: (cluster, primary) => {
      cluster.startNode(primary);
    },
  },
  {
    name: 'Patroni killed, old primary runs',
    strike: (cluster, primary) => cluster.killPatroni(primary),
    mend: (cluster, primary) => {
      cluster.startNode(primary);
    },
  },
];

const QUIET_MS = 3_000;
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

const counts = (load: Load, kind: 'write' | 'read', from: number): string => {
  const counted: Record<number, number> = {};
  for (const one of load.tries)
    if (one.kind === kind && one.endedAt >= from) counted[one.status] = (counted[one.status] ?? 0) + 1;
  return Object.entries(counted)
    .map(([status, count]) => `${count} of ${status}`)
    .join(', ');
};

/** Milliseconds from this moment to the end of the first such request that was sent after it and answered 200. */
const firstAfter = async (load: Load, kind: 'write' | 'read', moment: number): Promise<string> => {
  const find = () => load.tries.find((one) => one.kind === kind && one.status === 200 && one.sentAt >= moment);
  await until(() => find() !== undefined, 60_000);
  return seconds((find()?.endedAt ?? Infinity) - moment);
};

const take = async ({ name, strike, mend }: Step, cluster: Cluster, load: Load): Promise<void> => {
  const primary = await cluster.settled();
  await pause(QUIET_MS);
  const promotion = cluster.promotionOf(otherThan(primary));
  const from = now();
  const [promotedAt] = await Promise.all([promotion, strike(cluster, primary)]);
  say(`${name}: promoted ${seconds(promotedAt - from)} after it began`);
  say(
    `  from the promotion to the first write ${await firstAfter(load, 'write', promotedAt)}, read ${await firstAfter(load, 'read', promotedAt)}`,
  );
  await pause(QUIET_MS);
  mend(cluster, primary);
  await cluster.settled();
  say(`  answers to writes ${counts(load, 'write', from)}; to reads ${counts(load, 'read', from)}`);
};

// Started processes end with the campaign.
exitOnSignals();

/** Longer than `ttl`, after which nobody holds the lock of the primary. */
const ETCD_AWAY_MS = 40_000;

const loseEtcd = async (cluster: Cluster, load: Load): Promise<void> => {
  await cluster.settled();
  const from = now();
  await cluster.withoutEtcd(() => pause(ETCD_AWAY_MS));
  say(`etcd away for ${seconds(ETCD_AWAY_MS)}`);
  await cluster.settled();
  say(`  answers to writes ${counts(load, 'write', from)}; to reads ${counts(load, 'read', from)}`);
};

const cluster = await openCluster();
try {
  say(`PostgreSQL by Patroni, and Tenon with ${values.address}`);
  const server = await startTenon(cluster.urls[values.address as keyof Cluster['urls']]);
  try {
    const load = await startLoad(server.node);
    for (const step of STEPS) await take(step, cluster, load);
    await loseEtcd(cluster, load);
    await load.stop();
    const faults = await load.judge();
    say(`${load.acknowledged()} writes acknowledged, ${faults.length} lost or repeated, ${load.stale} stale reads`);
    for (const fault of faults) say(`  ${fault}`);
    say(server.tenon('verify').trim());
    say(server.tenon('doctor').trim());
    process.exitCode = faults.length + load.stale > 0 ? 1 : 0;
  } finally {
    await server.end();
  }
} finally {
  await cluster.end();
}
