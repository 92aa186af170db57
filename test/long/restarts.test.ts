import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AUTHORITY } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { PROXIES, proxyAvailable, startProxy, type Proxy } from '../support/proxies.ts';
import { aStoreWithApp, BULK, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';

/** 50,000 in the full run: RESTART_REQUESTS=50000. The nodes restart in turn until that many are answered, and each at least once. */
const REQUESTS = Number(process.env['RESTART_REQUESTS'] ?? 1);
/** The value for production. */
const DRAIN_SECONDS = '5';
const CALLERS = 8;
const PRODUCTS = 200;
const PATIENCE_MS = 900_000;

interface Node {
  readonly address: string;
  process: ServerProcess;
  restart(): Promise<void>;
}

const openNode = async (databaseUrl: string): Promise<Node> => {
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  const env = { PORT: port, ADMIN_PORT: adminPort, DRAIN_SECONDS, TRUSTED_PROXIES: '127.0.0.1' };
  const start = (): Promise<ServerProcess> => startProcess({ databaseUrl, env });
  const node: Node = {
    address: `127.0.0.1:${port}`,
    process: await start(),
    restart: async () => {
      node.process.kill('SIGTERM');
      await node.process.exited;
      node.process = await start();
      await eventually(async () => expect((await call(`http://127.0.0.1:${port}/readyz`, 'GET')).status).toBe(200));
    },
  };
  return node;
};

/** Callers with a connection each that they keep: details, lists and bulk updates. */
const openLoad = (proxy: Proxy, app: StoreWithApp) => {
  const agent = new Agent({
    connections: CALLERS,
    pipelining: 1,
    // The certificate of the tests is of another name.
    connect: { ca: AUTHORITY, checkServerIdentity: () => undefined },
  });
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const idOf = (n: number): string => app.productIds[n % PRODUCTS] ?? '';
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
    const headers = { ...app.headers, 'idempotency-key': randomUUID() };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const answer = await request(`${proxy.url}${path}`, { method, dispatcher: agent, headers, ...text });
      const said = await answer.body.text();
      if (answer.statusCode !== 200) failed.push(`${method} ${String(answer.statusCode)} ${said.slice(0, 100)}`);
    } catch (error) {
      failed.push(`${method} ${String(error)}`);
    }
    answered += 1;
  };
  const call = async (caller: number): Promise<void> => {
    for (let n = caller; !isOver; n += CALLERS) {
      await send('GET', `/apps/catalog/products/${idOf(n)}`);
      await send('POST', BULK, { products: [{ id: idOf(n), metaTitle: `Title ${String(n)}` }] });
      await send('GET', '/apps/catalog/products?take=20');
      await send('POST', BULK, { products: [{ id: idOf(n), metaDescription: `Text ${String(n)}` }] });
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, caller) => call(caller));
  return {
    answered: () => answered,
    end: async () => {
      isOver = true;
      await Promise.all(callers);
      await agent.close();
      return failed;
    },
  };
};

let database: TestDatabase;
let nodes: readonly [Node, Node];
let app: StoreWithApp;
beforeAll(async () => {
  database = await openTestDatabase();
  nodes = [await openNode(database.url), await openNode(database.url)];
  app = await aStoreWithApp(nodes[0].process, { products: PRODUCTS });
});
afterAll(async () => {
  await Promise.all(nodes.map(({ process }) => process.end()));
  await database.close();
});

describe('two nodes that restart in turn, as fast as /readyz allows, fail no request', () => {
  for (const name of PROXIES) {
    it.skipIf(!proxyAvailable(name))(`behind ${name}, with its file in deploy/`, { timeout: PATIENCE_MS }, async () => {
      const proxy = await startProxy(name, { nodes: [nodes[0].address, nodes[1].address], domain: app.domain });
      const load = openLoad(proxy, app);
      try {
        do for (const node of nodes) await node.restart();
        while (load.answered() < REQUESTS);
      } finally {
        const failed = await load.end();
        await proxy.stop();
        process.stderr.write(`${name}: ${String(load.answered())} requests, ${String(failed.length)} failed\n`);
        expect(failed.slice(0, 20), proxy.said()).toEqual([]);
      }
    });
  }
});
