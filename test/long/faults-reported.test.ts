import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { runCommand } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { freeze } from '../support/freeze.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis.ts';
import { aStoreWithApp, asAdmin, call, SETTINGS, type StoreWithApp } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** Why something that reports other faults cannot know of this one. */
interface Cannot {
  readonly cannot: string;
}
const cannot = (why: string): Cannot => ({ cannot: why });

interface World {
  readonly database: TestDatabase;
  readonly proxy: TcpProxy;
  readonly redis: (TestRedis & { readonly pid: number }) | null;
  readonly node: LocalServer;
  readonly app: StoreWithApp;
  readonly media: string;
}

/** The attention of a store lists its own receivers, apps and imports; the incidents of the server are listed beside it. */
interface Fault {
  readonly name: string;
  readonly needsRedis?: true;
  readonly settings?: () => Promise<Readonly<Record<string, string>>>;
  readonly cause: (world: World) => Promise<unknown>;
  /** Where an incident is recorded when the fault is over. */
  readonly mend?: (world: World) => Promise<unknown>;
  /** The check that does not say ok. */
  readonly doctor: string | Cannot;
  readonly ready: { readonly check: string; readonly status: 200 | 503 } | Cannot;
  /** A line of /metrics. */
  readonly metric: RegExp | Cannot;
  readonly incident: string | Cannot;
  /** Attention of the store. */
  readonly attention?: RegExp;
  /** Fires when the metrics stay as they are. */
  readonly alert: string | Cannot;
}

const SERVES = cannot('The node serves every request, so a proxy must send them to it.');

const ask = async (url: string, command: string, ...words: readonly string[]): Promise<void> => {
  const client = new Redis(url, { retryStrategy: null });
  await client.call(command, ...words);
  client.disconnect();
};

/** Makes a subscription of the store's own, at whose address nobody listens, and then these events. */
const send = async ({ node, app: { storeId } }: World, events: number, meanwhile?: () => Promise<unknown>): Promise<void> => {
  const url = 'http://127.0.0.1:9/hook';
  await asAdmin(node, 'POST', `/admin/stores/${storeId}/webhooks/subscriptions`, { url, eventTypes: ['order.paid'] });
  await meanwhile?.();
  for (let at = 0; at < events; at += 1)
    await asAdmin(node, 'POST', `/admin/stores/${storeId}/events`, { type: 'order.paid', data: { id: `order-${String(at)}` } });
};

/** Functions of this name in the database give what the SQL says, as a server in trouble does. */
const shadow = async ({ database, proxy }: World, definition: string): Promise<void> => {
  await database.query('CREATE SCHEMA shadow');
  await database.query(definition);
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET search_path = shadow, pg_catalog, public`);
  proxy.cut();
};

const DATABASE = {
  doctor: 'database',
  ready: { check: 'database', status: 503 },
  metric: /^tenon_check_ok\{check="database"\} 0$/m,
  alert: 'TenonDatabaseAway',
} as const;
const QUEUE = {
  needsRedis: true,
  doctor: 'Redis',
  ready: { check: 'queue', status: 200 },
  metric: /^tenon_check_ok\{check="queue"\} 0$/m,
  incident: 'redis_away',
  alert: 'TenonQueueAway',
} as const;
const FAULTS: readonly Fault[] = [
  {
    name: 'the database is away',
    ...DATABASE,
    cause: async ({ proxy }) => {
      proxy.leadTo(`postgresql://127.0.0.1:${String(await freePort())}/none`);
      proxy.cut();
    },
    mend: async ({ proxy, database }) => proxy.leadTo(database.url),
    incident: 'database_away',
  },
  {
    name: 'the database is silent',
    ...DATABASE,
    cause: async ({ proxy }) => proxy.fallSilent({ newToo: true }),
    mend: async ({ proxy }) => {
      proxy.speak();
      proxy.cut();
    },
    incident: 'database_away',
  },
  {
    name: 'the disk of the database is full',
    ...DATABASE,
    doctor: 'writes',
    cause: (world) =>
      shadow(
        world,
        `CREATE FUNCTION shadow.pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      ),
    incident: cannot('The database that keeps the incidents takes no row.'),
  },
  {
    name: 'the database is read-only',
    ...DATABASE,
    cause: async ({ database, proxy }) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      proxy.cut();
    },
    mend: async ({ database }) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
    },
    incident: 'database_away',
  },
  { name: 'Redis is away', ...QUEUE, cause: ({ redis }) => redis!.stop() },
  {
    name: 'Redis is silent',
    ...QUEUE,
    cause: ({ redis }) => freeze(redis!.pid),
    mend: async ({ redis }) => process.kill(redis!.pid, 'SIGCONT'),
  },
  { name: 'Redis is full', ...QUEUE, cause: ({ redis }) => ask(redis!.url, 'CONFIG', 'SET', 'maxmemory', '1') },
  { name: 'Redis is read-only', ...QUEUE, cause: ({ redis }) => ask(redis!.url, 'REPLICAOF', '127.0.0.1', '1') },
  {
    name: 'Redis has another password',
    ...QUEUE,
    cause: async ({ redis }) => {
      await ask(redis!.url, 'CONFIG', 'SET', 'requirepass', 'another');
      await ask(redis!.url.replace('//', '//:another@'), 'CLIENT', 'KILL', 'TYPE', 'normal');
    },
  },
  {
    name: 'no worker runs',
    settings: async () => ({ ROLE: 'api' }),
    cause: ({ database }) =>
      database.query(
        `INSERT INTO processes (id, name, role, version, keys, sealing, tasks, started_at, seen_at)
         VALUES ($1, 'gone:1', 'worker', '1', '{}', '', '[]', now() - interval '1 hour', now() - interval '90 s')`,
        [randomUUID()],
      ),
    doctor: 'workers',
    ready: { check: 'workers', status: 200 },
    metric: /^tenon_workers 0$/m,
    incident: 'work_stopped',
    alert: 'TenonNoWorker',
  },
  {
    name: 'a task of the workers never succeeds',
    cause: ({ database }) =>
      database.query(
        `INSERT INTO processes (id, name, role, version, keys, sealing, tasks, started_at, seen_at)
         SELECT $1, 'stuck:1', role, version, keys, sealing, $2::jsonb, now() - interval '1 hour', now() + interval '1 hour' FROM processes LIMIT 1`,
        [randomUUID(), JSON.stringify([{ name: 'a task', everySeconds: 20, secondsAgo: 3_600 }])],
      ),
    doctor: 'workers',
    ready: { check: 'workers', status: 200 },
    metric: /^tenon_worker_tasks_late [1-9]/m,
    incident: 'work_stopped',
    alert: 'TenonTasksLate',
  },
  {
    name: 'the media storage is not mounted',
    cause: async ({ media }) => {
      await rm(media, { recursive: true });
      await writeFile(media, '');
    },
    doctor: 'media',
    ready: SERVES,
    metric: cannot('An import of images waits for the storage, and counts as open.'),
    incident: cannot('An import of images waits for the storage, and has not failed.'),
    alert: cannot('TenonImportsStuck fires while an import waits for the storage. Without an import, nobody writes to it.'),
  },
  {
    name: 'a key is missing',
    cause: (world) =>
      send(world, 1, () => world.database.query(`UPDATE subscriptions SET signing_secret = replace(signing_secret, 'k1', 'k9')`)),
    doctor: 'secret keys',
    ready: SERVES,
    metric: /^tenon_incidents_open\{kind="keys_unopened"\} 1$/m,
    incident: 'keys_unopened',
    attention: /"waiting":\{"count":[1-9]/,
    alert: 'TenonKeyMissing',
  },
  {
    name: 'the clocks are ten minutes apart',
    cause: (world) =>
      shadow(
        world,
        `CREATE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
         $$ SELECT pg_catalog.clock_timestamp() + interval '10 minutes' $$`,
      ),
    doctor: 'clock',
    ready: SERVES,
    metric: /^tenon_clock_skew_seconds (599|600)\./m,
    incident: cannot('Each node measures its own clock; its alert names the node.'),
    alert: 'TenonClockSkew',
  },
  {
    name: 'the last backup is old',
    cause: ({ database }) =>
      database.query(`UPDATE schema_generation SET backed_up_at = now() - interval '3 days', backup_rows = 1, backup_bytes = 1`),
    doctor: 'backup',
    ready: SERVES,
    metric: /^tenon_backup_age_seconds 2592\d\d/m,
    incident: cannot('Nothing is wrong with what the server does.'),
    alert: 'TenonBackupOld',
  },
  {
    name: 'the outgoing proxy is away',
    settings: async () => ({ WEBHOOK_PROXY: `http://127.0.0.1:${String(await freePort())}` }),
    cause: (world) => send(world, 12),
    doctor: 'outgoing proxy',
    ready: SERVES,
    metric: /^tenon_webhook_open_breakers [1-9]/m,
    incident: 'receiver_failing',
    attention: /"failingSubscriptions":\{"items":\[\{/,
    alert: 'TenonBreakersOpen',
  },
];

const promtool = !spawnSync('promtool', ['--version']).error;
const RULES = join(import.meta.dirname, '../../deploy/monitoring/alerts.yaml');

/** True when the alert fires at a server whose gauges keep these values, and whose counters continue as they began. */
const fires = async (metrics: string, alert: string): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-alerts-'));
  try {
    const series = metrics
      .split('\n')
      .map((line) => /^(tenon_[a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line))
      .flatMap((found) => {
        if (!found || found[3] === 'Nan') return [];
        const [, name = '', labels, value = ''] = found;
        const isCounter = /_(total|count|bucket|sum)$/.test(name);
        const all = ['job="tenon"', 'instance="a"', ...(labels ? [labels] : [])].join(',');
        return [{ series: `${name}{${all}}`, values: isCounter ? `0+${value}x4000` : `${value}x4000` }];
      });
    const test = {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: series,
          promql_expr_test: [
            {
              expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
              eval_time: '90m',
              exp_samples: [{ labels: '{}', value: 1 }],
            },
          ],
        },
      ],
    };
    const file = join(folder, 'faults.test.json');
    await writeFile(file, JSON.stringify(test));
    return await promisify(execFile)('promtool', ['test', 'rules', file]).then(
      () => true,
      () => false,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};

const openWorld = async ({ settings, needsRedis }: Fault) => {
  const database = await openTestDatabase();
  const proxy = await openTcpProxy(database.url);
  const redis = needsRedis ? await startRedis() : null;
  const folder = await mkdtemp(join(tmpdir(), 'tenon-faults-'));
  const media = join(folder, 'media');
  const env = {
    DATABASE_CONNECTIONS: '4',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    MEDIA_STORAGE: media,
    ...(redis && { REDIS_URL: redis.url }),
    ...(await settings?.()),
  };
  const node = await startLocally({ databaseUrl: proxy.url, env });
  const app = await aStoreWithApp(node, { scopes: ['write_products', 'read_orders'], products: 1 });
  return {
    world: { database, proxy, redis, node, app, media } satisfies World,
    env: { ...SETTINGS, ...env, DATABASE_URL: proxy.url },
    close: async () => {
      proxy.speak();
      proxy.leadTo(database.url);
      await redis?.stop();
      await node.end();
      await proxy.close();
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
};

const doctorOf = async (env: Readonly<Record<string, string>>) => {
  const { out } = await runCommand(['doctor', '--json'], { env });
  const found = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; result: string });
  return found.filter(({ result }) => result === 'failed' || result === 'warning').map(({ check }) => check);
};

describe('a fault is reported by all that can know of it', () => {
  it.concurrent.each(FAULTS.filter(({ needsRedis }) => redisAvailable || !needsRedis))(
    '$name',
    { timeout: 240_000 },
    async (fault) => {
      const { world, env, close } = await openWorld(fault);
      const { node, app } = world;
      const metrics = async () => (await asAdmin(node, 'GET', '/metrics')).body;
      try {
        if (!fault.settings) expect(await doctorOf(env)).toEqual([]);
        await fault.cause(world);
        const { doctor, ready, metric, incident, alert, attention } = fault;
        if (typeof doctor === 'string') await eventually(async () => expect(await doctorOf(env)).toContain(doctor));
        if ('check' in ready)
          await eventually(async () => {
            const { status, body } = await call(`${node.adminUrl}/readyz`, 'GET');
            expect([status, JSON.parse(body).checks[ready.check]]).toEqual([
              ready.status,
              ready.status === 200 ? 'degraded' : 'failing',
            ]);
          });
        else expect((await call(`${node.adminUrl}/readyz`, 'GET')).status).toBe(200);
        await call(`${node.url}/apps/catalog/products`, 'GET', app.headers);
        if (metric instanceof RegExp) await eventually(async () => expect(await metrics()).toMatch(metric));
        if (typeof alert === 'string') {
          expect(await readFile(RULES, 'utf8')).toContain(`alert: ${alert}\n`);
          if (promtool) expect(await fires(await metrics(), alert), `${alert} fires`).toBe(true);
        }
        if (attention) expect((await asAdmin(node, 'GET', `/admin/stores/${app.storeId}/attention`)).body).toMatch(attention);
        await fault.mend?.(world);
        if (typeof incident === 'string')
          await eventually(async () => {
            const { body } = await asAdmin(node, 'GET', '/admin/incidents');
            expect((JSON.parse(body) as { items: readonly { kind: string }[] }).items.map(({ kind }) => kind)).toContain(
              incident,
            );
          });
      } finally {
        await close();
      }
    },
  );
});
