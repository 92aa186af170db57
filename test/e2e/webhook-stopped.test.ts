import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';

import { openTestDatabase } from '../support/postgres.ts';
import { respond, startReceiver } from '../support/receiver.ts';
import { aStoreWithApp, asAdmin, call, startProcess } from '../support/server.ts';
import { pay, payMany, statusesOf, subscribe, subscribeMerchant } from '../support/webhooks.ts';

const IN_FLIGHT = 4;

const stateOf = async (pid: number): Promise<string | undefined> =>
  /\) (\w) /.exec(await readFile(`/proc/${String(pid)}/stat`, 'utf8'))?.[1];

it('an uninstall does not wait for a worker that is stopped (SIGSTOP); once it goes on, it begins nothing more', async () => {
  const database = await openTestDatabase();
  const [its, merchants] = [await startReceiver(), await startReceiver()];
  const start = (ROLE: string) => startProcess({ databaseUrl: database.url, env: { ROLE } });
  const api = await start('api');
  const stopped = await start('worker');
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
        timeout: 30_000,
      })
      .toBe(50);

    stopped.kill('SIGSTOP');
    await vi.waitFor(async () => expect(await stateOf(stopped.pid)).toBe('T'));
    const answer = await asAdmin(api, 'POST', `/admin/apps/${app.installationId}/uninstall`);
    expect(answer.status).toBe(204);
    expect(await stateOf(stopped.pid)).toBe('T');

    stopped.kill('SIGCONT');
    its.answer(respond(204));
    for (const end of waiting) end();
    await vi.waitFor(async () => expect((await call(`${stopped.adminUrl}/readyz`, 'GET')).status).toBe(200), { timeout: 30_000 });
    // It is the only worker: what comes to the merchant afterwards was sent by it, after all that it could have begun.
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
