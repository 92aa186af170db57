import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { asAdmin, call, startProcess, type ServerProcess } from '../support/server.ts';
import type { EventBody } from '../support/webhooks.ts';

const STORES = 12;
const WRITERS = 4;
/** After this many answers of a round, the API and the worker are killed. */
const KILLED_AT = [4];

const REDIRECT = 'https://app.example.com/installed';

let database: TestDatabase;
let receiver: Receiver;
let running: Promise<readonly ServerProcess[]>;

const start = (): Promise<readonly ServerProcess[]> =>
  Promise.all(['api', 'worker'].map((ROLE) => startProcess({ databaseUrl: database.url, env: { ROLE } })));

const killBoth = async (servers: readonly ServerProcess[]): Promise<readonly ServerProcess[]> => {
  for (const server of servers) server.kill('SIGKILL');
  await Promise.all(servers.map(({ exited }) => exited));
  return start();
};

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), startReceiver()]);
  running = start();
  await running;
});
afterAll(async () => {
  for (const server of await running) await server.end();
  await receiver.close();
  await database.close();
});

type Change = (server: ServerProcess, domain: string) => Promise<void>;

/** Does the change for each store, and again what a kill cut off. */
const forEach = async (domains: readonly string[], change: Change): Promise<number> => {
  const left = domains.values();
  const moments = [...KILLED_AT];
  let [answered, cutOff] = [0, 0];
  const writer = async (): Promise<void> => {
    for (const domain of left) {
      for (let isDone = false; !isDone;) {
        const [api] = await running;
        if (!api) throw new Error('there is an API');
        try {
          await change(api, domain);
          isDone = true;
        } catch (error) {
          if ((await running)[0] === api) throw error;
          cutOff += 1;
        }
      }
      answered += 1;
      if (answered < (moments[0] ?? Infinity)) continue;
      moments.shift();
      running = running.then(killBoth);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return cutOff;
};

/** The ids of the events of this type that arrived, by installation. */
const arrived = (type: string): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const { body } of receiver.received) {
    const event = JSON.parse(body.toString()) as EventBody;
    const installation = String(event.data['id']);
    if (event.type === type) found.set(installation, (found.get(installation) ?? new Set()).add(event.id));
  }
  return found;
};

const expectOneEach = (type: string, installations: readonly string[]): Promise<void> =>
  vi.waitFor(
    () => {
      const found = arrived(type);
      expect([...found.keys()].sort()).toEqual([...installations].sort());
      expect([...found.values()].every(({ size }) => size === 1)).toBe(true);
    },
    { timeout: 90_000, interval: 100 },
  );

it(
  'kill -9 between a change of an installation and its event: the event address gets each once',
  { timeout: 300_000 },
  async () => {
    const manifest = { name: 'App', redirectUrls: [REDIRECT], scopes: ['read_products'], eventUrl: receiver.url };
    const [api] = await running;
    if (!api) throw new Error('there is an API');
    const registered = await asAdmin(api, 'POST', '/admin/platform-apps', manifest);
    expect(registered.status, registered.body).toBe(201);
    const { clientId } = JSON.parse(registered.body) as { clientId: string };
    const domains = Array.from({ length: STORES }, (_, k) => `life-${String(k)}.example`);
    await database.query(
      `WITH made AS (
         INSERT INTO stores (id, domain, name, currency)
         SELECT gen_random_uuid(), domain, 'Life', 'EUR' FROM unnest($1::text[]) domain RETURNING domain, id
       )
       INSERT INTO store_domains (domain, store) SELECT domain, id FROM made`,
      [domains],
    );

    const query = new URLSearchParams({ client_id: clientId, redirect_uri: REDIRECT });
    const cutOff = await forEach(domains, async (server, host) => {
      const asked = await call(`${server.url}/apps/install?${query.toString()}`, 'GET', { host });
      expect(asked.status, asked.body).toBe(302);
      const request = new URL(String(asked.headers['location'])).searchParams.get('request') ?? '';
      const accepted = await asAdmin(server, 'POST', `/admin/install-requests/${request}/accept`, {});
      expect(accepted.status, accepted.body).toBe(200);
    });
    const rows = await database.query<{ id: string; domain: string }>(
      'SELECT i.id, s.domain FROM installations i JOIN stores s ON s.id = i.store_id',
    );
    expect(rows.map(({ domain }) => domain).sort()).toEqual([...domains].sort());
    const ids = rows.map(({ id }) => id);
    await expectOneEach('app.installed', ids);

    const idOf = new Map(rows.map(({ id, domain }) => [domain, id]));
    const cutOffLater = await forEach(domains, async (server, domain) => {
      const ended = await asAdmin(server, 'POST', `/admin/apps/${idOf.get(domain) ?? ''}/uninstall`);
      expect(ended.status, ended.body).toBe(204);
    });
    await expectOneEach('app.uninstalled', ids);
    expect(cutOff + cutOffLater).toBeGreaterThan(0);
  },
);
