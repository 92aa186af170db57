import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { postImport } from '../support/media.ts';
import { startNameServer, type NameServer } from '../support/name-server.ts';
import { createEmptyDatabase } from '../support/postgres.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, call, startProcess, type Answer, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { pay, subscribe } from '../support/webhooks.ts';

const SCOPES = ['write_products', 'read_orders', 'read_webhooks', 'write_webhooks', 'write_media'];
const DRY_RUNS_AT_ONCE = 12;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: TcpProxy;
let names: NameServer;
let receiver: Receiver;
let server: ServerProcess;
let victim: StoreWithApp;
let attacker: StoreWithApp;

beforeAll(async () => {
  [database, names, receiver] = await Promise.all([createEmptyDatabase(), startNameServer(), startReceiver()]);
  receiver.answer(respond(204));
  names.answer(({ name, type }) => {
    if (!name.endsWith('hooks.example.com')) return 'silence';
    return { addresses: type === 'A' ? ['127.0.0.1'] : [] };
  });
  proxy = await openTcpProxy(database.url);
  // The server finds its database by a name, which the system resolves.
  const databaseUrl = proxy.url.replace('127.0.0.1', 'localhost');
  const env = {
    NAME_SERVERS: names.address,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    MEDIA_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_SECOND: '50',
    RATE_LIMIT_BURST: '100',
  };
  server = await startProcess({ databaseUrl, env });
  victim = await aStoreWithApp(server, { scopes: SCOPES, products: 0 });
  attacker = await aStoreWithApp(server, { scopes: SCOPES, products: 1 });
});
afterAll(async () => {
  await server.end();
  await Promise.all([proxy.close(), names.close(), receiver.close()]);
  await database.drop();
});

/** An app names hosts that no name server answers for, as fast as it can, until the attack is ended. */
const attack = () => {
  const answers: Answer[] = [];
  const unexpected: unknown[] = [];
  let isOver = false;
  const url = () => `https://${randomUUID()}.slow.example.com/`;
  const post = (path: string, body: object) => call(`${server.url}${path}`, 'POST', attacker.headers, JSON.stringify(body));
  const again = async (ask: () => Promise<Answer>): Promise<void> => {
    while (!isOver)
      await ask().then(
        (answer) => answers.push(answer),
        (error: unknown) => unexpected.push(error),
      );
  };
  const path = '/apps/webhooks/subscriptions';
  const asked = () => ({ url: url(), eventTypes: ['order.paid'] });
  const images = () => Array.from({ length: 20 }, () => ({ sourceUrl: url(), productId: attacker.productIds[0] }));
  const done = Promise.all([
    ...Array.from({ length: DRY_RUNS_AT_ONCE }, () => again(() => post(`${path}?dryRun=1`, asked()))),
    ...Array.from({ length: 8 }, () => again(() => post(path, asked()))),
    again(async () => {
      await pay(server, attacker.storeId).catch((error: unknown) => unexpected.push(error));
      return postImport(server, attacker, randomUUID(), images());
    }),
  ]);
  return {
    answers,
    unexpected,
    end: async () => {
      isOver = true;
      await done;
    },
  };
};

it('names that nobody answers cost their own app alone: others are sent to, subscribe, and the database is found again', async () => {
  const flood = attack();
  // All look-ups that one app may have are open, and others wait.
  await eventually(async () => {
    const { body } = await call(`${server.adminUrl}/metrics`, 'GET');
    expect(body).toContain('tenon_name_lookups_open 4');
    expect(body).toMatch(/tenon_name_lookups_waiting [1-9]/);
  });
  await eventually(() => expect(flood.answers.some(({ status }) => status === 429)).toBe(true));
  for (let n = 0; n < 3; n += 1) {
    const url = `http://${String(n)}.hooks.example.com:${String(receiver.port)}/${String(n)}`;
    await subscribe(server, victim, url, 'order.paid');
  }
  for (let n = 0; n < 10; n += 1) await pay(server, victim.storeId);
  // Three pings, and ten events for each. None of them failed once.
  await eventually(() => expect(receiver.received).toHaveLength(33));
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(Array(33).fill('1'));

  // A failover: the server connects again, by the name of its database.
  const refused = flood.unexpected.length;
  expect(proxy.cut()).toBeGreaterThan(0);
  await eventually(() => pay(server, victim.storeId));
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(36));
  await flood.end();
  expect(refused).toBe(0);
  const { body } = await call(`${server.adminUrl}/metrics`, 'GET');
  expect(Number(/tenon_name_lookups_total\{outcome="timed_out"\} (\d+)/.exec(body)?.[1])).toBeGreaterThan(0);
  const busy = flood.answers.find(({ status, body: text }) => status === 429 && text.includes('host names'));
  expect(busy?.headers['retry-after']).toBe('2');
  expect(busy && JSON.parse(busy.body)).toEqual({
    code: 'rate_limited',
    error: 'At most 4 host names of an installation are looked up at once. Retry after the number of seconds in Retry-After.',
  });
});
