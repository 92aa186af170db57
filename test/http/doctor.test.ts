import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { checkClock, checkVersion } from '../../src/adapters/prisma/doctor/database-checks.ts';
import { diagnose } from '../../src/adapters/wiring/doctor/diagnose.ts';
import type { Finding } from '../../src/adapters/storage/finding.ts';
import { NO_STORE } from '../../src/domain/ports/locator.ts';
import { processes } from '../../src/adapters/prisma/insight/processes.ts';
import { checkWritable, reachFault } from '../../src/adapters/prisma/doctor/reach-faults.ts';
import { checkDisk, checkNode } from '../../src/adapters/wiring/doctor/machine-checks.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';

const KEY = `k1:${randomBytes(32).toString('base64')}`;

let app: OpenApp;
let store: TestStore;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let env: Record<string, string> = {};

beforeAll(async () => {
  [app, receiver] = await Promise.all([openApp({ SECRET_KEYS: KEY, ROLE: 'api' }), startReceiver()]);
  env = { NODE_ENV: 'production', DATABASE_URL: app.database.url, ADMIN_TOKEN, SECRET_KEYS: KEY, TRUSTED_PROXIES: '10.0.0.1' };
  store = await app.aStore();
  await app.anApp(store);
  await app
    .admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`)
    .send({ url: receiver.url, eventTypes: ['order.paid'] })
    .expect(200);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const configOf = (settings: Record<string, string>): Config => {
  const config = parseConfig(settings);
  if (!config.ok) throw new Error(config.message);
  return config.value as Config;
};

/** Runs the doctor with these settings instead of the right ones, and returns its findings by check. */
const examine = async (over: Record<string, string> = {}): Promise<Record<string, Finding>> => {
  const worker = { id: NO_STORE, name: 'host:1', role: 'worker', version: '1', keys: [], sealing: '', tasks: [] } as const;
  await processes(app.database).beat(worker);
  const config = configOf({ ...env, ...over });
  const found: Record<string, Finding> = {};
  const databaseUrl = { ok: true, value: config.DATABASE_URL ?? '' } as const;
  for await (const finding of diagnose({ config, databaseUrl, nodeVersion: process.version })) found[finding.check] = finding;
  return found;
};

const failing = { result: 'failed', remedy: expect.any(String) };

describe('the doctor', () => {
  it('finds nothing wrong with a server that works', async () => {
    const found = await examine();
    expect(Object.values(found).filter(({ result }) => result === 'failed' || result === 'warning')).toEqual([]);
    expect(found['secret keys']?.message).toContain('opens all that is stored: 2 secrets');
    expect(found).not.toHaveProperty('Citus');
  });

  it('counts the processes that run, with Redis and without', async () => {
    const { connections, workers } = await examine();
    expect(connections?.message).toMatch(/; 2 run now$/);
    expect(workers?.message).toBe('2 processes run, 1 of them a worker');
  });

  it('leaves everything as it was, also where no process has met this start of the server', async () => {
    const counts = () =>
      app.database.query(
        'SELECT (SELECT count(*) FROM events) e, (SELECT count(*) FROM media_files) m, (SELECT count(*) FROM epochs) s',
      );
    const reverse = () => app.database.query('UPDATE epochs SET server_start = reverse(server_start)');
    await reverse();
    const before = await counts();
    await examine();
    expect(await counts()).toEqual(before);
    await reverse();
  });

  it.each([
    ['v20.18.9', 'failed'],
    ['v18.20.0', 'failed'],
    ['v20.19.0', 'ok'],
    ['v24.1.0', 'ok'],
  ])('judges Node.js %s as %s', (version, result) => {
    expect(checkNode(version)).toMatchObject({ result });
  });

  it.each([
    [130_011, 'failed'],
    [140_000, 'ok'],
    [180_004, 'ok'],
  ])('judges PostgreSQL %d as %s', (version, result) => {
    expect(checkVersion(version)).toMatchObject({ result });
  });

  it.each([
    [0, 'ok'],
    [20_000, 'warning'],
    [-120_000, 'failed'],
  ])('finds a clock that is %d ms off: %s', async (off, result) => {
    expect(await checkClock(app.database, () => Date.now() + off)).toMatchObject({ result });
  });

  it('finds a database that cannot be reached, and does not show its password', async () => {
    const found = await examine({ DATABASE_URL: `postgresql://tenon:hunter2@127.0.0.1:${String(await freePort())}/tenon` });
    expect(found['database']).toMatchObject(failing);
    for (const check of [
      'clock',
      'connections',
      'replication',
      'migrations',
      'writes',
      'backup',
      'secret keys',
      'queue',
      'due deliveries',
      'receivers',
    ])
      expect(found[check]).toMatchObject({ result: 'skipped', message: 'not checked: the database cannot be reached' });
    expect(found).not.toHaveProperty('Citus');
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  /** The address of the database that works, changed. */
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(app.database.url);
    url.password = 'hunter2';
    change(url);
    return url.href;
  };

  it.each([
    [
      'that does not run',
      async (): Promise<string> => `postgresql://tenon:hunter2@127.0.0.1:${String(await freePort())}/tenon`,
      /on 127\.0\.0\.1:\d+ does not run.*ECONNREFUSED/,
      /^Start the database/,
    ],
    [
      'without the role',
      async (): Promise<string> => changed((url) => (url.username = 'nobody_here')),
      /^the database on .+:5432 refuses the connection: role "nobody_here" does not exist$/,
      /^Change the user/,
    ],
    [
      'of another name',
      async (): Promise<string> => changed((url) => (url.pathname = '/elsewhere')),
      /refuses the connection: database "elsewhere" does not exist$/,
      /^Create the database/,
    ],
    [
      'on a host that is not known',
      async (): Promise<string> => 'postgresql://tenon:hunter2@nowhere.invalid:6543/tenon',
      /^the host of nowhere\.invalid:6543 is not known \(getaddrinfo E/,
      /^Change the host/,
    ],
  ] as const)(
    'names the host, the port and the cause of a database %s, and what helps against it',
    async (_what, url, says, remedy) => {
      const found = await examine({ DATABASE_URL: await url() });
      expect(found['database']).toMatchObject({
        result: 'failed',
        message: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      });
      expect(JSON.stringify(found)).not.toContain('hunter2');
    },
  );

  it('finds a database whose disk is full, though it answers', async () => {
    const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
    const rejecting = { ...app.database, transaction: () => Promise.reject(full) } as unknown as typeof app.database;
    expect(await checkWritable(rejecting, 'postgresql://tenon:hunter2@db.example/tenon')).toMatchObject({
      ...failing,
      message: expect.stringContaining('the disk of db.example:5432 is full'),
    });
    expect((await examine())['writes']).toMatchObject({ result: 'ok' });
  });

  it('names the address that does not answer', () => {
    const { message, remedy } = reachFault('postgresql://tenon:hunter2@db.example/tenon', new Error('timeout expired'));
    expect(message).toBe('db.example:5432 does not answer (timeout expired)');
    expect(remedy).toContain('firewall');
  });

  it('finds a database with too few connections for one more node', async () => {
    expect((await examine({ DATABASE_CONNECTIONS: '900' }))['connections']).toMatchObject(failing);
  });

  it('finds a migration that is missing, one that waits, and one of a newer version', async () => {
    await app.database.query(
      `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name LIKE '%_store_functions'`,
    );
    const waiting = (await examine())['migrations'];
    expect(waiting).toMatchObject({ result: 'ok', message: expect.stringContaining('1 wait until no older process') });
    await app.database.query(
      `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = (SELECT min(migration_name) FROM _prisma_migrations)`,
    );
    const missing = await examine();
    expect(missing['migrations']).toMatchObject({ ...failing, message: expect.stringContaining('2 of') });
    expect(missing['secret keys']).toMatchObject({ result: 'skipped' });
    await app.database.query('UPDATE _prisma_migrations SET rolled_back_at = NULL');
    await app.database.query(`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_from_the_future', now())`);
    expect((await examine())['migrations']).toMatchObject({ ...failing, remedy: expect.stringContaining('newer version') });
    await app.database.query(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
  });

  it('finds secrets that no configured key opens, and names the key', async () => {
    const other = `k2:${randomBytes(32).toString('base64')}`;
    expect((await examine({ SECRET_KEYS: other }))['secret keys']).toMatchObject({
      ...failing,
      message: 'SECRET_KEYS does not open 2 secrets of key k1',
    });
    expect((await examine({ SECRET_KEYS: other, LOST_SECRET_KEYS: 'k1' }))['secret keys']).toMatchObject({
      result: 'warning',
      message: 'Nothing opens 2 secrets of key k1, which LOST_SECRET_KEYS names',
      remedy: 'Rotate the secrets of the apps, and then run tenon keys forget k1.',
    });
    // The name alone is not enough.
    expect((await examine({ SECRET_KEYS: other.replace('k2', 'k1') }))['secret keys']).toMatchObject(failing);
    expect((await examine({ SECRET_KEYS: `${other},${KEY}` }))['secret keys']).toMatchObject({ result: 'ok' });
  });

  it('finds a Redis that does not answer, and with it the queue', async () => {
    const found = await examine({ REDIS_URL: `redis://127.0.0.1:${String(await freePort())}` });
    expect(found['Redis']).toMatchObject(failing);
    expect(found['queue']).toMatchObject(failing);
  });

  it.skipIf(!redisAvailable).each([
    ['throws keys away', ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru'], 'evicts keys', 'ok'],
    ['is a replica', ['REPLICAOF', '127.0.0.1', '1'], 'is a replica', 'failed'],
    ['has no memory left', ['CONFIG', 'SET', 'maxmemory', '1'], 'is full', 'failed'],
    ['wants another password', ['CONFIG', 'SET', 'requirepass', 'another'], 'NOAUTH', 'failed'],
  ])('finds a Redis that %s', async (_title, [command = '', ...how], message, queue) => {
    const redis = await startRedis();
    try {
      expect((await examine({ REDIS_URL: redis.url }))['Redis']).toMatchObject({ result: 'ok' });
      const client = new Redis(redis.url);
      await client.call(command, ...how);
      client.disconnect();
      const found = await examine({ REDIS_URL: redis.url });
      expect(found['Redis']).toMatchObject({ ...failing, message: expect.stringContaining(message) });
      expect(found['queue']).toMatchObject({ result: queue });
    } finally {
      await redis.stop();
    }
  });

  it.each([
    [100, 'ok'],
    [1, 'warning'],
    [0.1, 'failed'],
  ])('judges %d GB of free space as %s', async (gigabytes, result) => {
    expect(await checkDisk(configOf(env), () => Promise.resolve(gigabytes * 1024 ** 3))).toMatchObject({ result });
  });

  it.each(['/dev/null/media', 'http://127.0.0.1:1/bucket'])('finds a media storage that cannot be used: %s', async (storage) => {
    const found = await examine({ MEDIA_STORAGE: storage, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
    expect(found['media']).toMatchObject(failing);
  });

  it('finds a media directory that does not exist although the database names media files, and does not create it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-doctor-'));
    const directory = join(folder, 'media');
    try {
      const key = `${store.id}/a.png`;
      await app.database.query(`INSERT INTO media_files VALUES ($1, $2, 'image/png', 8, 1, 1, now())`, [store.id, key]);
      const missing = {
        result: 'failed',
        message: `The media directory ${directory} does not exist. It is created only while the database names no media files.`,
        remedy: expect.stringMatching(/^Mount it, or correct MEDIA_STORAGE\./) as string,
      };
      expect((await examine({ MEDIA_STORAGE: directory }))['media']).toMatchObject(missing);
      await app.database.query('DELETE FROM media_files');
      // Nobody knows what a database names that cannot be reached.
      const unreachable = `postgresql://tenon@127.0.0.1:${String(await freePort())}/tenon`;
      expect((await examine({ MEDIA_STORAGE: directory, DATABASE_URL: unreachable }))['media']).toMatchObject(missing);
      expect(await readdir(folder)).toEqual([]);
      expect((await examine({ MEDIA_STORAGE: directory }))['media']).toMatchObject({ result: 'ok' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('finds that every address is trusted as a proxy, and warns when none is', async () => {
    expect((await examine({ TRUSTED_PROXIES: '0.0.0.0/0' }))['proxies']).toMatchObject(failing);
    expect((await examine({ TRUSTED_PROXIES: '' }))['proxies']).toMatchObject({ result: 'warning' });
  });

  it('finds an outgoing proxy that does not answer', async () => {
    const proxy = `http://127.0.0.1:${String(await freePort())}`;
    expect((await examine({ WEBHOOK_PROXY: proxy }))['outgoing proxy']).toMatchObject(failing);
    expect((await examine({ WEBHOOK_PROXY: receiver.url }))['outgoing proxy']).toMatchObject({ result: 'ok' });
  });

  it('finds deliveries that nobody sends, and receivers that fail', async () => {
    await app.database.query(
      `UPDATE subscriptions SET probe_at = now() + interval '1 hour', failures = 10, failing_since = now()`,
    );
    expect((await examine())['receivers']).toMatchObject({
      result: 'warning',
      message: '1 receiver has failed ten times in a row',
    });
    await app.database.query('UPDATE subscriptions SET probe_at = NULL, failures = 0, failing_since = NULL');
    const ids = `gen_random_uuid(), (SELECT id FROM subscriptions LIMIT 1), '${store.id}', gen_random_uuid()`;
    await app.database.query(`
      INSERT INTO delivery_queue (delivery_id, subscription_id, store_id, event_id, due_at) VALUES (${ids}, now() - interval '1 hour')`);
    expect((await examine())['due deliveries']).toMatchObject(failing);
    await app.database.query('DELETE FROM delivery_queue');
  });
});

describe('tenon doctor', () => {
  it('exits with 0, and with 1 when a check fails', async () => {
    const right = await runCommand(['doctor'], { env });
    expect(right, right.out).toMatchObject({ status: 0, err: 'Everything is fine.\n' });
    const wrong = await runCommand(['doctor', '--quiet'], { env: { ...env, DATABASE_CONNECTIONS: '900' } });
    expect(wrong).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^connections\tfailed\t.+\tSet max_connections to \d+ .+\n$/),
    });
  });

  it('names an unknown setting, and fails nothing by it', async () => {
    const { status, out } = await runCommand(['doctor'], { env: { ...env, RATE_LIMIT_PERSECOND: '5' } });
    expect(status).toBe(0);
    expect(out).toMatch(/^settings\twarning\t.*RATE_LIMIT_PERSECOND is not a setting.* RATE_LIMIT_PER_SECOND\./m);
  });

  it('finds settings that are not valid, and secrets that are missing', async () => {
    expect(await runCommand(['doctor'], { env: { ...env, PORT: 'x' } })).toMatchObject({
      status: 1,
      out: expect.stringContaining('PORT'),
    });
    const none = { DATA_DIR: '/nonexistent' };
    expect(await runCommand(['doctor'], { env: none })).toMatchObject({ status: 1, out: expect.stringContaining('SECRET_KEYS') });
  });
});
