import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { queryOn } from '../support/query-on.ts';
import { bulk, call, startProcess, type ServerProcess, type StoreWithApp } from '../support/server.ts';
import { subscribe } from '../support/webhooks.ts';
import { openShopOnCitus, type ShopOnCitus } from './shop-on-citus.ts';

type Answers = readonly Awaited<ReturnType<typeof call>>[];
type Node = ShopOnCitus['citus']['coordinator'];

let shop: ShopOnCitus;
let folder: string;
/** Has the addresses of the coordinator and of its standby. */
let withBoth: ServerProcess | undefined;
const promoted: EmbeddedPostgres[] = [];

beforeAll(async () => {
  shop = await openShopOnCitus();
  folder = await mkdtemp(join(tmpdir(), 'tenon-failover-'));
  for (const app of shop.apps) await subscribe(shop.server, app, shop.receiver.url, 'product.updated');
});
afterAll(async () => {
  await withBoth?.end();
  await shop.close();
  for (const server of promoted) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const statusOf = async (app: StoreWithApp, node: Pick<ServerProcess, 'url'>) =>
  (await call(`${node.url}/apps/catalog/products`, 'GET', app.headers)).status;
const rename = (node: Pick<ServerProcess, 'url'>, app: StoreWithApp, name: string) =>
  bulk(node, app, name, [{ id: app.productIds[0], name }]);
const deliveriesOf = ({ storeId }: StoreWithApp, name: string) =>
  shop.receiver.received.filter(({ body }) => String(body).includes(storeId) && String(body).includes(name));

/** Writes to each store, ends the server as a crash does, and promotes a standby at this port. Returns the answers. */
const failOver = async (lost: Node, port: number, node: Pick<ServerProcess, 'url'>, name: string): Promise<Answers> => {
  const standby = await lost.follow(join(folder, name), port);
  const answers = await Promise.all(shop.apps.map((app) => rename(node, app, name)));
  expect(answers.map(({ status }) => status)).toEqual(shop.apps.map(() => 200));
  await lost.end('SIGQUIT');
  promoted.push(await standby.promote());
  return answers;
};

/** All stores read, write and get their deliveries. What was acknowledged before is answered again. */
const expectWhole = async (node: Pick<ServerProcess, 'url'>, answers: Answers, name: string): Promise<void> => {
  for (const [at, app] of shop.apps.entries()) {
    await eventually(async () => expect(await statusOf(app, node)).toBe(200));
    const replay = await rename(node, app, name);
    expect(replay).toMatchObject({ status: 200, body: answers[at]?.body });
    expect((await rename(node, app, `${name} after`)).status).toBe(200);
    for (const each of [name, `${name} after`]) {
      await eventually(() => expect(deliveriesOf(app, each).length).toBeGreaterThan(0));
    }
  }
};

describe('a standby is promoted', () => {
  it('in place of a worker: its stores continue once the coordinator knows the address, with all that was acknowledged', async () => {
    const [worker] = shop.citus.workers as [Node];
    const port = await freePort();
    const answers = await failOver(worker, port, shop.server, 'worker');
    const statuses = await Promise.all(shop.apps.map((app) => statusOf(app, shop.server)));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    await queryOn(
      shop.citus.coordinator.url,
      `SELECT citus_update_node(nodeid, '127.0.0.1', ${String(port)}) FROM pg_dist_node WHERE nodeport = ${String(worker.port)}`,
    );
    await expectWhole(shop.server, answers, 'worker');
  });

  it('in place of the coordinator: a node that has both addresses continues, with all that was acknowledged', async () => {
    const { coordinator } = shop.citus;
    const port = await freePort();
    const address = `127.0.0.1:${String(coordinator.port)}`;
    const other = `127.0.0.1:${String(port)}`;
    withBoth = await startProcess({
      databaseUrl: coordinator.url.replace(address, `${address},${other}`),
      env: { MEDIA_STORAGE: join(folder, 'media') },
    });
    const answers = await failOver(coordinator, port, withBoth, 'coordinator');
    await queryOn(coordinator.url.replace(address, other), `SELECT citus_set_coordinator_host('127.0.0.1', ${String(port)})`);
    await expectWhole(withBoth, answers, 'coordinator');
  });
});
