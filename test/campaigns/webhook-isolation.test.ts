import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { drip, flood, hang, respond, startReceiver, type Answer, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, startProcess, type ServerProcess } from '../support/server.ts';
import { arrivalsOf, payMany, statusesOf, subscribeMerchant } from '../support/webhooks.ts';

const HEALTHY = 20;
const EVENTS = 100;
const MIB = 2 ** 20;

let database: TestDatabase;
let receiver: Receiver;
let server: ServerProcess;

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  server = await startProcess({ databaseUrl: database.url, env: { WEBHOOK_TIMEOUT_SECONDS: '2' } });
});
afterAll(async () => {
  await server.end();
  await receiver.close();
  await database.close();
});

/** The most memory the process has had at once, in bytes. */
const peakOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
};

it.runIf(process.platform === 'linux')(
  '20 healthy receivers get everything once beside receivers that hang, drip and answer 1 GB, and memory stays bounded',
  async () => {
    const flooded: number[] = [];
    const answers: Readonly<Record<string, Answer>> = {
      '/hangs': hang,
      '/drips': drip,
      '/floods': flood((bytes) => flooded.push(bytes)),
    };
    receiver.answer((response, request) => (answers[request.path] ?? respond(204))(response, request));
    const { storeId } = await aStoreWithApp(server, { scopes: [], products: 1 });
    const subscribed = async (path: string) => subscribeMerchant(server, storeId, `${receiver.url}${path}`, 'order.paid');
    const bad = [await subscribed('/hangs'), await subscribed('/drips'), await subscribed('/floods')] as const;
    const healthy = await Promise.all(Array.from({ length: HEALTHY }, (_, n) => subscribed(`/healthy-${n}`)));

    const paid = await payMany(server, storeId, EVENTS);
    const ids = healthy.map(({ id }) => id);
    await vi.waitFor(async () => expect(await statusesOf(database, ids)).toEqual({ Delivered: HEALTHY * EVENTS }), 60_000);

    const secrets = new Map([...bad, ...healthy].map(({ id, signingSecret }) => [id, signingSecret]));
    const arrivals = arrivalsOf(receiver.received, (id) => secrets.get(id) ?? '');
    for (const id of ids) {
      const arrived = arrivals.of(id);
      expect([...arrived.keys()].sort()).toEqual([...paid].sort());
      expect([...arrived.values()].every((requests) => requests.length === 1)).toBe(true);
    }
    // Each of the three was under way: two ended by time, the third was cut off after a little of its body.
    for (const { id } of bad.slice(0, 2)) {
      await vi.waitFor(async () => {
        const attempts = await database.query<{ error: string }>(
          'SELECT DISTINCT a.error FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.subscription_id = $1',
          [id],
        );
        expect(attempts).toEqual([{ error: 'timeout' }]);
      }, 30_000);
    }
    await vi.waitFor(() => expect(flooded.length).toBeGreaterThan(EVENTS / 2), 30_000);
    expect(Math.max(...flooded)).toBeLessThan(32 * MIB);
    const peak = await peakOf(server.pid);
    expect(peak).toBeLessThan(400 * MIB);
  },
  180_000,
);
