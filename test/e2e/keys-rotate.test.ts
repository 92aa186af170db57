import { afterAll, beforeAll, expect, it } from 'vitest';

import { parseSecretKeys, type SecretKey } from '../../src/adapters/startup/secret-keys.ts';
import { sealedSecrets } from '../../src/adapters/prisma/identity/sealed-secrets.ts';
import { rotateKeys } from '../../src/adapters/wiring/keys/rotate-keys.ts';
import { startLocally } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { asAdmin, call } from '../support/server.ts';
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

const startWith = (SECRET_KEYS: string) => startLocally({ databaseUrl: database.url, env: { SECRET_KEYS } });

const json = (text: string): unknown => JSON.parse(text);

it('after a rotation a server that has only the new key opens, signs and checks everything', async () => {
  const before = await startWith(OLD);
  const store = json((await asAdmin(before, 'POST', '/admin/stores', { domain: 'keys.example' })).body) as { id: string };
  const installed = await asAdmin(before, 'POST', `/admin/stores/${store.id}/apps`, {
    name: 'App',
    scopes: ['write_webhooks', 'read_orders'],
  });
  const app = json(installed.body) as { clientId: string; clientSecret: string; signingSecret: string };
  const tokenFrom = async (server: { url: string }) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
    });
    const headers = { host: 'keys.example', 'content-type': 'application/x-www-form-urlencoded' };
    return call(`${server.url}/apps/token`, 'POST', headers, form.toString());
  };
  const { accessToken } = json((await tokenFrom(before)).body) as { accessToken: string };
  const headers = { host: 'keys.example', authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const own = await subscribe(before, { headers }, receiver.url, 'order.paid');
  const merchant = await subscribeMerchant(before, store.id, receiver.url, 'order.paid');
  await before.end();

  const report = await rotateKeys(sealedSecrets(database), keysOf(`${NEW},${OLD}`));
  expect(report).toEqual({ kid: 'k2', resealed: 2, peppers: 1, unopened: 0 });
  expect(await kids()).toEqual([{ kid: 'k2' }]);
  // Nothing is left to do, and nothing is lost without the old key.
  expect(await rotateKeys(sealedSecrets(database), keysOf(NEW))).toEqual({ kid: 'k2', resealed: 0, peppers: 1, unopened: 0 });

  const after = await startWith(NEW);
  expect((await tokenFrom(after)).status).toBe(200);
  const id = await pay(after, store.id);
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
    unopened: 3,
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
