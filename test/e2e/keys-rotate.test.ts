import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseSecretKeys, type SecretKey } from '../../src/adapters/startup/secret-keys.ts';
import { sealedSecrets } from '../../src/adapters/prisma/identity/sealed-secrets.ts';
import { backup } from '../../src/adapters/wiring/archive/backup.ts';
import { importStore } from '../../src/adapters/wiring/archive/restore.ts';
import { openSecrets } from '../../src/adapters/wiring/keys/open-secrets.ts';
import { rotateKeys } from '../../src/adapters/wiring/keys/rotate-keys.ts';
import { configOf } from '../support/app.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { asAdmin, call, SETTINGS } from '../support/server.ts';
import { allEnded, arrivalsOf, pay, subscribe, subscribeMerchant } from '../support/webhooks.ts';

const key = (kid: string, fill: number): string => `${kid}:${Buffer.alloc(32, fill).toString('base64')}`;
const [OLD, NEW] = [key('k1', 7), key('k2', 8)];
const keysOf = (text: string) => parseSecretKeys(text) as [SecretKey, ...SecretKey[]];

let database: TestDatabase;
let receiver: Receiver;

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await database.close();
});

const kids = () =>
  database.query(
    `SELECT DISTINCT split_part(sealed, '.', 2) AS kid FROM (SELECT sealed FROM signing_secrets UNION ALL
     SELECT signing_secret FROM subscriptions WHERE signing_secret IS NOT NULL UNION ALL SELECT sealed FROM retired_peppers) s`,
  );

const startWith = (SECRET_KEYS: string, { url } = database) => startLocally({ databaseUrl: url, env: { SECRET_KEYS } });

const json = (text: string): unknown => JSON.parse(text);

interface StoreWithApp {
  readonly storeId: string;
  readonly app: { readonly clientId: string; readonly clientSecret: string; readonly signingSecret: string };
}

const aStoreWithApp = async (server: LocalServer): Promise<StoreWithApp> => {
  const store = json((await asAdmin(server, 'POST', '/admin/stores', { domain: 'keys.example' })).body) as { id: string };
  const installed = await asAdmin(server, 'POST', `/admin/stores/${store.id}/apps`, {
    name: 'App',
    scopes: ['write_webhooks', 'read_orders'],
  });
  return { storeId: store.id, app: json(installed.body) as StoreWithApp['app'] };
};

const tokenFrom = (server: LocalServer, { app }: StoreWithApp) => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: app.clientId,
    client_secret: app.clientSecret,
  });
  const headers = { host: 'keys.example', 'content-type': 'application/x-www-form-urlencoded' };
  return call(`${server.url}/apps/token`, 'POST', headers, form.toString());
};

it('after a rotation a server that has only the new key opens, signs and checks everything', async () => {
  const before = await startWith(OLD);
  const store = await aStoreWithApp(before);
  const { app, storeId } = store;
  const { accessToken } = json((await tokenFrom(before, store)).body) as { accessToken: string };
  const headers = { host: 'keys.example', authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const own = await subscribe(before, { headers }, receiver.url, 'order.paid');
  const merchant = await subscribeMerchant(before, storeId, receiver.url, 'order.paid');
  await before.end();

  const report = await rotateKeys(sealedSecrets(database), keysOf(`${NEW},${OLD}`));
  expect(report).toEqual({ kid: 'k2', resealed: 2, peppers: 1, unopened: new Map() });
  expect(await kids()).toEqual([{ kid: 'k2' }]);
  // Nothing is left to do, and nothing is lost without the old key.
  expect(await rotateKeys(sealedSecrets(database), keysOf(NEW))).toEqual({
    kid: 'k2',
    resealed: 0,
    peppers: 1,
    unopened: new Map(),
  });

  const after = await startWith(NEW);
  expect((await tokenFrom(after, store)).status).toBe(200);
  const id = await pay(after, storeId);
  await allEnded(database);
  await after.end();
  const secrets = new Map([
    [own, app.signingSecret],
    [merchant.id, merchant.signingSecret],
  ]);
  const arrivals = arrivalsOf(receiver.received, (subscription) => secrets.get(subscription) ?? '');
  for (const subscription of secrets.keys()) expect([...arrivals.of(subscription).keys()]).toEqual([id]);
});

it('without a key of the secrets they stay as they are, and are counted', async () => {
  const before = await kids();
  expect(await rotateKeys(sealedSecrets(database), keysOf(key('k3', 9)))).toEqual({
    kid: 'k3',
    resealed: 0,
    peppers: 0,
    unopened: new Map([['k2', 3]]),
  });
  expect(await kids()).toEqual(before);
});

it('a secret that was changed since it was read is not overwritten', async () => {
  const [table] = sealedSecrets(database).tables;
  const [secret] = (await table?.otherThan('k3', null, 10)) ?? [];
  await database.query(`UPDATE signing_secrets SET sealed = 'v1.k2.of.somebody.else' WHERE id = $1`, [secret?.id]);
  const { storeId, id, sealed } = secret!;
  expect(await table?.replace({ storeId, id, old: sealed, sealed: 'v1.k3.late.late.late' })).toBe(0);
  expect(await database.query('SELECT sealed FROM signing_secrets WHERE id = $1', [secret?.id])).toEqual([
    { sealed: 'v1.k2.of.somebody.else' },
  ]);
});

describe('a server that runs', () => {
  let folder: string;
  let [source, target]: [TestDatabase, TestDatabase] = [] as never;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-keys-'));
    [source, target] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([source.close(), target.close()]);
    await rm(folder, { recursive: true });
  });

  it('knows the app of a store that is imported beside it, by its old secret', async () => {
    const before = await startWith(OLD, source);
    const store = await aStoreWithApp(before);
    await before.end();
    await rotateKeys(sealedSecrets(source), keysOf(`${NEW},${OLD}`));

    const keys = `${key('k3', 9)},${NEW}`;
    const running = await startWith(keys, target);
    const settingsOf = (database: TestDatabase, SECRET_KEYS: string) =>
      configOf({ ...SETTINGS, SECRET_KEYS, DATABASE_URL: database.url, MEDIA_STORAGE: join(folder, 'media') });
    const file = join(folder, 'keys.store');
    await backup(settingsOf(source, NEW), { file, store: store.storeId });
    await importStore(settingsOf(target, keys), { file });
    await expect.poll(async () => (await tokenFrom(running, store)).status, { timeout: 15_000, interval: 500 }).toBe(200);
    await running.end();
  });
  it('knows an app of another node after a rotation, without the key under which its secret was made', async () => {
    await source.query('TRUNCATE stores, store_domains, retired_peppers CASCADE');
    const running = await startWith(NEW, source);
    const other = await startWith(OLD, source);
    const store = await aStoreWithApp(other);
    await other.end();
    expect((await tokenFrom(running, store)).status).toBe(401);
    await rotateKeys(sealedSecrets(source), keysOf(`${NEW},${OLD}`));
    await expect.poll(async () => (await tokenFrom(running, store)).status, { timeout: 15_000, interval: 500 }).toBe(200);
    await running.end();
  });
  it('keeps a pepper that a rotation seals under a key that it does not have', async () => {
    await source.query('TRUNCATE signing_secrets, subscriptions, retired_peppers CASCADE');
    await rotateKeys(sealedSecrets(source), keysOf(`${NEW},${OLD}`));
    const { secrets: old } = await openSecrets(keysOf(OLD), sealedSecrets(source));
    const { secrets, learn } = await openSecrets(keysOf(NEW), sealedSecrets(source));
    const hashes = [old.hashClientSecret('of an app')];
    expect(secrets.matchesClientSecret('of an app', hashes)).toBe(true);
    await rotateKeys(sealedSecrets(source), keysOf(`${key('k3', 9)},${NEW}`));
    await learn();
    expect(secrets.matchesClientSecret('of an app', hashes)).toBe(true);
    expect(secrets.matchesClientSecret('of another', hashes)).toBe(false);
  });
});
