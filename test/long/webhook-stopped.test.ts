import pg from 'pg';
import { expect, it, vi } from 'vitest';

import { freeze, isFrozen } from '../support/freeze.ts';
import { startLocally } from '../support/local-server.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { respond, startReceiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, call, startProcess } from '../support/server.ts';
import { allEnded, pay, payMany, statusesOf, subscribe, subscribeMerchant } from '../support/webhooks.ts';

const IN_FLIGHT = 4;

it('an uninstallation does not wait for a stopped worker (SIGSTOP), which starts nothing when it continues', async () => {
  const database = await openTestDatabase();
  const [its, merchants] = [await startReceiver(), await startReceiver()];
  const api = await startLocally({ databaseUrl: database.url, env: { ROLE: 'api' } });
  const stopped = await startProcess({ databaseUrl: database.url, env: { ROLE: 'worker' } });
  const processes = [api, stopped];
  try {
    const app = await aStoreWithApp(api, { scopes: ['read_orders', 'write_webhooks'], products: 0 });
    const subscriptionId = await subscribe(api, app, its.url, 'order.paid');
    expect((await its.next()).body.toString()).toContain('"type":"ping"');
    const waiting: (() => void)[] = [];
    its.answer((response) => waiting.push(() => response.writeHead(204).end()));
    await payMany(api, app.storeId, 50);
    for (let n = 0; n < IN_FLIGHT; n += 1) await its.next();
    // The fan-out is this worker's too: it is to be over before.
    await expect
      .poll(async () => Object.values(await statusesOf(database, [subscriptionId])).reduce((sum, n) => sum + n, 0), {
        timeout: 60_000,
      })
      .toBe(50);

    await freeze(stopped.pid);
    const answer = await asAdmin(api, 'POST', `/admin/apps/${app.installationId}/uninstall`);
    expect(answer.status).toBe(204);
    expect(await isFrozen(stopped.pid)).toBe(true);

    stopped.kill('SIGCONT');
    its.answer(respond(204));
    for (const end of waiting) end();
    await vi.waitFor(async () => expect((await call(`${stopped.adminUrl}/readyz`, 'GET')).status).toBe(200), { timeout: 60_000 });
    // The only worker sends in order: the merchant's delivery comes after all that it could have begun.
    await subscribeMerchant(api, app.storeId, merchants.url, 'order.paid');
    const id = await pay(api, app.storeId);
    while ((await merchants.next()).headers['webhook-id'] !== id);
    expect(its.received).toHaveLength(1 + IN_FLIGHT);
    expect(await statusesOf(database, [subscriptionId])).toEqual({ Dropped: 50 });
  } finally {
    await Promise.all(processes.map((process) => process.end()));
    await Promise.all([its.close(), merchants.close()]);
    await database.close();
  }
}, 180_000);

it('an uninstallation does not wait for a worker that is stopped in a fan-out; its work is rolled back and repeated', async () => {
  const database = await openTestDatabase();
  const [its, merchants] = [await startReceiver(), await startReceiver()];
  const api = await startLocally({ databaseUrl: database.url, env: { ROLE: 'api' } });
  const stopped = await startProcess({ databaseUrl: database.url, env: { ROLE: 'worker' } });
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    const app = await aStoreWithApp(api, { scopes: ['read_orders', 'write_webhooks'], products: 0 });
    await subscribe(api, app, its.url, 'order.paid');
    await subscribeMerchant(api, app.storeId, merchants.url, 'order.paid');
    await Promise.all([its.next(), merchants.next()]);
    await allEnded(database);

    // The holder has taken the event when it is stopped: the transaction stays open, and nobody continues it.
    await holder.query('BEGIN');
    await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('feed/' || $1, 0))", [app.storeId]);
    const id = await pay(api, app.storeId);
    await awaitLockWaits(database);
    await freeze(stopped.pid);
    await holder.query('COMMIT');
    const taken = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' AND query ~ 'DELETE FROM pending_events'`;
    await expect.poll(() => database.query(taken), { timeout: 60_000, interval: 20 }).toHaveLength(1);

    const answer = await asAdmin(api, 'POST', `/admin/apps/${app.installationId}/uninstall`);
    expect(answer.status).toBe(204);
    expect(await isFrozen(stopped.pid)).toBe(true);

    stopped.kill('SIGCONT');
    expect((await merchants.next()).headers['webhook-id']).toBe(id);
    await allEnded(database);
    expect(its.received).toHaveLength(1);
  } finally {
    await Promise.all([api, stopped].map((process) => process.end()));
    await Promise.all([its.close(), merchants.close(), holder.end()]);
    await database.close();
  }
}, 180_000);
