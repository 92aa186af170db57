import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const newKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`;
const KEY = newKey('k1');
const WRONG = newKey('k1');
const NEWER = newKey('k2');

const REMEDY = /Add the missing key to SECRET_KEYS, behind the others\. If it is lost, set LOST_SECRET_KEYS to its name/;

let app: OpenApp;
let client: TestApp;

beforeAll(async () => {
  app = await openApp({ SECRET_KEYS: KEY, ROLE: 'api' });
  const store = await app.aStore();
  client = await app.anApp(store);
  await app
    .admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`)
    .send({ url: 'http://127.0.0.1:9/hook', eventTypes: ['order.paid'] })
    .expect(200);
});
afterAll(() => app.close());

/** Why a node with these settings does not start beside the first; null when it does. */
const refusal = async (settings: Readonly<Record<string, string>>): Promise<string | null> => {
  try {
    const started = await openApp(settings, app);
    await started.close();
    return null;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
};

describe('a node', () => {
  it.each(['all', 'api', 'worker'])('of the role %s does not start with a wrong key, and says which is missing', async (ROLE) => {
    const message = await refusal({ SECRET_KEYS: WRONG, ROLE });
    expect(message).toMatch(/^StartFailure: SECRET_KEYS does not open 2 secrets of key k1\. /);
    expect(message).toMatch(REMEDY);
    expect(message).not.toContain('\n');
  });
  it('starts with the old key behind a new one, and not without it', async () => {
    expect(await refusal({ SECRET_KEYS: `${NEWER},${KEY}` })).toBeNull();
    expect(await refusal({ SECRET_KEYS: NEWER })).toMatch(/does not open 2 secrets of key k1/);
  });
  it('starts without a key that is said to be lost', async () => {
    expect(await refusal({ SECRET_KEYS: NEWER, LOST_SECRET_KEYS: 'k1' })).toBeNull();
    expect(await refusal({ SECRET_KEYS: NEWER, LOST_SECRET_KEYS: 'k3' })).toMatch(/of key k1/);
  });
  it('starts with any key on an empty database', async () => {
    const empty = await openApp({ SECRET_KEYS: WRONG });
    await empty.close();
  });
  it('starts when one secret of many is damaged, which the doctor reports', async () => {
    await app.anApp(client.store);
    await app.database.query(`UPDATE signing_secrets SET sealed = sealed || 'x' WHERE installation_id = $1`, [client.id]);
    expect(await refusal({ SECRET_KEYS: KEY })).toBeNull();
  });
  it('starts when all secrets but one are damaged, and not with a wrong key', async () => {
    for (let n = 0; n < 5; n += 1) await app.anApp(client.store);
    const intact = 'SELECT min(id::text)::uuid FROM subscriptions';
    await app.database.query(`UPDATE signing_secrets SET sealed = sealed || 'x'`);
    await app.database.query(`UPDATE subscriptions SET signing_secret = signing_secret || 'x' WHERE id <> (${intact})`);
    expect(await refusal({ SECRET_KEYS: KEY })).toBeNull();
    expect(await refusal({ SECRET_KEYS: WRONG })).toMatch(/does not open 8 secrets of key k1/);
    await app.database.query(`UPDATE subscriptions SET signing_secret = signing_secret || 'x'`);
    expect(await refusal({ SECRET_KEYS: KEY })).toMatch(/does not open 8 secrets of key k1/);
  });
});

describe('a worker that cannot open a secret', () => {
  it('says so in one line for each key, without a stack', async () => {
    const worker = await openApp({ SECRET_KEYS: KEY });
    try {
      const store = await worker.aStore();
      for (const type of ['order.paid', 'order.refunded', 'order.created']) {
        await worker
          .admin('post', `/admin/stores/${store.id}/webhooks/subscriptions`)
          .send({ url: 'http://127.0.0.1:9/hook', eventTypes: [type] })
          .expect(200);
      }
      // Simulates another node, with another key first, that sealed them again.
      await worker.database.query(`UPDATE subscriptions SET signing_secret = replace(signing_secret, '.k1.', '.k9.')`);
      for (const type of ['order.paid', 'order.refunded', 'order.created']) {
        await worker.admin('post', `/admin/stores/${store.id}/events`).send({ type, data: {} });
      }
      const failed = () => worker.logged().filter(({ msg }) => msg.includes('SECRET_KEYS'));
      await eventually(() => {
        expect(failed()).toHaveLength(1);
      });
      expect(failed()[0]).toMatchObject({ kid: 'k9', level: 50 });
      expect(failed()[0]?.msg).toMatch(
        /^SECRET_KEYS does not open a secret of key k9\. Its deliveries wait\. Add the missing key/,
      );
      expect(worker.log.filter((line) => line.includes('Work failed'))).toEqual([]);
      expect(failed()[0]).not.toHaveProperty('err');
    } finally {
      await worker.close();
    }
  });
});
