import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import {
  asAdmin,
  aStoreWithApp,
  BULK,
  call,
  SETTINGS,
  startProcess,
  type Answer,
  type Headers,
  type ServerProcess,
  type StoreWithApp,
} from '../support/server.ts';

const newKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newKey('k1'), newKey('k2')];
const FOLLOWERS = 6;
const PATIENCE_MS = 240_000;

interface Node {
  readonly url: string;
  readonly adminUrl: string;
  process: ServerProcess;
  restart(keys: string): Promise<void>;
}

let database: TestDatabase;
let nodes: readonly [Node, Node];
let app: StoreWithApp;

const openNode = async (): Promise<Node> => {
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  const start = (SECRET_KEYS: string): Promise<ServerProcess> =>
    startProcess({ databaseUrl: database.url, env: { PORT: port, ADMIN_PORT: adminPort, DRAIN_SECONDS: '0', SECRET_KEYS } });
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    process: await start(OLD),
    restart: async (keys) => {
      node.process.kill('SIGTERM');
      await node.process.exited;
      node.process = await start(keys);
    },
  };
  return node;
};

beforeAll(async () => {
  database = await openTestDatabase();
  nodes = [await openNode(), await openNode()];
  app = await aStoreWithApp(nodes[0], { products: 20 });
});
afterAll(async () => {
  await Promise.all(nodes.map(({ process }) => process.end()));
  await database.close();
});

const rotate = async (keys: string): Promise<string> => {
  const env = { PATH: process.env['PATH'], ...SETTINGS, DATABASE_URL: database.url, SECRET_KEYS: keys };
  const main = join(inject('built'), 'src/main.js');
  return promisify(execFile)(process.execPath, [main, 'keys', 'rotate'], { env }).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );
};

/** Asks the nodes in turn, and the other one while a node restarts. */
const openLoad = () => {
  const statuses = new Map<string, number>();
  let turn = 0;
  let isOver = false;
  const ask = async (to: (node: Node) => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      turn += 1;
      const node = nodes[turn % 2]!;
      try {
        return await to(node);
      } catch {
        await pause(20);
      }
    }
  };
  const count = (what: string, { status }: Answer): void => {
    statuses.set(`${what} ${String(status)}`, (statuses.get(`${what} ${String(status)}`) ?? 0) + 1);
  };
  const repeat = async (work: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; !isOver; n += 1) await work(n);
  };
  const follow = async (): Promise<void> => {
    let after = 'latest';
    await repeat(async () => {
      const answer = await ask(({ url }) => call(`${url}/apps/events?after=${after}`, 'GET', app.headers));
      count('feed', answer);
      if (answer.status === 200) after = (JSON.parse(answer.body) as { next: string }).next;
      await pause(20);
    });
  };
  const write = (): Promise<void> =>
    repeat(async (n) => {
      const body = JSON.stringify({ products: [{ id: app.productIds[n % 20], metaTitle: `Title ${String(n)}` }] });
      const headers: Headers = { ...app.headers, 'idempotency-key': randomUUID() };
      count('write', await ask(({ url }) => call(`${url}${BULK}`, 'POST', headers, body)));
    });
  /** An app is installed at one node, and gets a token from each. */
  const install = (): Promise<void> =>
    repeat(async () => {
      const as = { name: 'App', scopes: ['read_products'] };
      const installed = await ask((node) => asAdmin(node, 'POST', `/admin/stores/${app.storeId}/apps`, as));
      count('install', installed);
      const { clientId, clientSecret } = JSON.parse(installed.body) as Record<'clientId' | 'clientSecret', string>;
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
      const type = { host: app.domain, 'content-type': 'application/x-www-form-urlencoded' };
      for (const _node of nodes) {
        count('token', await ask(({ url }) => call(`${url}/apps/token`, 'POST', type, form.toString())));
      }
      await pause(50);
    });
  const all = [write(), install(), ...Array.from({ length: FOLLOWERS }, follow)];
  return {
    statuses,
    end: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
};

/** Keys with which the running processes seal. */
const sealing = async (): Promise<unknown> =>
  (await database.query<{ sealing: string }>('SELECT DISTINCT sealing FROM processes WHERE ended_at IS NULL')).map(
    (row) => row.sealing,
  );

it('a key is changed node by node, under load, without a 401 and without a 410', { timeout: PATIENCE_MS }, async () => {
  const load = openLoad();
  const [first, second] = nodes;
  await first.restart(`${NEW},${OLD}`);
  expect(await sealing()).toEqual(['k1']);
  expect(await rotate(`${NEW},${OLD}`)).toMatch(
    /^tenon: 1 process that runs does not have k2 first in SECRET_KEYS: \S+ \(all, seen \d s ago\)\. Nothing was changed\./,
  );
  await second.restart(`${NEW},${OLD}`);
  expect(await rotate(`${NEW},${OLD}`)).toMatch(/encrypted again with k2/);
  expect(await sealing()).toEqual(['k2']);
  // Each follower has a cursor of the new key by then.
  const pages = load.statuses.get('feed 200') ?? 0;
  await eventually(async () => expect(load.statuses.get('feed 200')).toBeGreaterThan(pages + 5 * FOLLOWERS));
  for (const node of nodes) await node.restart(NEW);
  await load.end();
  expect(Object.fromEntries([...load.statuses].filter(([what]) => !/ 20[01]$/.test(what)))).toEqual({});
  for (const what of ['feed 200', 'write 200', 'install 201', 'token 200']) expect(load.statuses.get(what)).toBeGreaterThan(10);
});

it('a cursor of a key that is gone begins again, and says why', async () => {
  const [node] = nodes;
  const page = await call(`${node.url}/apps/events?after=latest`, 'GET', app.headers);
  const { next } = JSON.parse(page.body) as { next: string };
  await Promise.all(nodes.map(({ restart }) => restart(`${OLD},${NEW}`)));
  await eventually(async () => expect(await sealing()).toEqual(['k1']));
  expect((await call(`${node.url}/apps/events?after=${next}`, 'GET', app.headers)).status).toBe(200);
  expect(await rotate(`${OLD},${NEW}`)).toMatch(/encrypted again with k1/);
  await Promise.all(nodes.map(({ restart }) => restart(OLD)));
  const refused = await call(`${node.url}/apps/events?after=${next}`, 'GET', app.headers);
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([410, { code: 'cursor_expired', reason: 'key_unknown' }]);
});
