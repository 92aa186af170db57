import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import type { FeedSignal, FeedWatch } from '../../src/domain/ports/webhooks/feed-signal.ts';
import type { Leasable } from '../../src/domain/ports/work-lease.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { createFeedSignal } from '../../src/adapters/prisma/webhooks/feed/feed-signal.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { eventually } from '../support/eventually.ts';
import { childrenOf, freeze, whileFrozen } from '../support/freeze.ts';
import { respond } from '../support/receiver.ts';
import { bulk, call, startProcess, type StoreWithApp } from '../support/server.ts';
import { subscribe } from '../support/webhooks.ts';
import { openShopOnCitus, type ShopOnCitus } from './shop-on-citus.ts';
import { onOwnSession } from '../support/own-session.ts';

let shop: ShopOnCitus;
/** On the worker that goes away, and on the other one. */
let gone: StoreWithApp;
let present: StoreWithApp;
let worker: ShopOnCitus['citus']['workers'][number];
let database: Database;
/** Leases of a process beside the server. */
let leases: ReturnType<typeof createWorkLeases>;

beforeAll(async () => {
  shop = await openShopOnCitus();
  const [first] = shop.citus.workers;
  if (first === undefined) throw new Error('no worker');
  worker = first;
  const { url } = shop.citus.coordinator;
  database = openDatabase({ url });
  leases = onOwnSession(url, (session) => createWorkLeases({ session, sql: database }));
  const ports = await Promise.all(shop.apps.map(({ storeId }) => shop.portOf(storeId)));
  const on = (isThere: boolean): StoreWithApp => {
    const found = shop.apps.find((_app, at) => (ports[at] === worker.port) === isThere);
    if (found === undefined) throw new Error('all stores are on one worker');
    return found;
  };
  [gone, present] = [on(true), on(false)];
  for (const app of [gone, present]) await subscribe(shop.server, app, shop.receiver.url, 'product.updated');
  await eventually(() => expect(shop.receiver.received).toHaveLength(2));
});
afterAll(async () => {
  await leases.close();
  await database.close();
  await shop.close();
});

const list = (app: StoreWithApp, node: { readonly url: string } = shop.server) =>
  call(`${node.url}/apps/catalog/products`, 'GET', app.headers);
const hearing = async (): Promise<number[]> => {
  const text = `SELECT pid FROM pg_stat_activity WHERE application_name = 'tenon signals'`;
  return (await database.pool.query<{ pid: number }>(text)).rows.map(({ pid }) => pid);
};
const rename = (app: StoreWithApp, key: string, name: string) => bulk(shop.server, app, key, [{ id: app.productIds[0], name }]);
const importsOf = ({ storeId, installationId }: StoreWithApp): ['imports', Leasable] => [
  'imports',
  { storeId, id: installationId },
];
const deliveriesOf = (app: StoreWithApp, name: string) =>
  shop.receiver.received.filter(({ body }) => String(body).includes(app.storeId) && String(body).includes(name));

describe('while a worker is away', () => {
  const failures: unknown[] = [];
  let signal: FeedSignal;
  let watch: FeedWatch | null;
  let heard: number[];
  beforeAll(async () => {
    signal = onOwnSession(shop.citus.coordinator.url, (session) =>
      createFeedSignal({ session, sql: database, onError: (error) => failures.push(error) }),
    );
    const open = (app: StoreWithApp) => signal.watch(app, 600, new AbortController().signal);
    await open(gone);
    watch = await open(present);
    heard = await hearing();
    await worker.end('SIGQUIT');
  });
  afterAll(async () => {
    await worker.start();
    await signal.close();
  });

  it('the stores that it has get 503 with Retry-After', async () => {
    for (const answer of [await list(gone), await rename(gone, 'away', 'Away')]) {
      expect(answer.status, answer.body).toBe(503);
      expect(answer.headers['retry-after']).toBeDefined();
    }
  });

  it('all others read, write and get their deliveries', async () => {
    expect((await list(present)).status).toBe(200);
    expect((await rename(present, 'present', 'Present')).status).toBe(200);
    await eventually(() => expect(deliveriesOf(present, 'Present')).toHaveLength(1));
  });

  it('leases of its stores fail, and those of the others stay', async () => {
    const lease = await leases.acquire(...importsOf(present));
    await expect(leases.acquire(...importsOf(gone))).rejects.toThrow(DatabaseUnavailable);
    expect(lease?.signal.aborted).toBe(false);
    expect(await lease?.mayBegin()).toBe(true);
  });

  it('a node whose looks at the feeds fail hears of the events of the others', async () => {
    await eventually(() => expect(failures.length).toBeGreaterThan(1));
    // Sessions of other parts may have opened since.
    expect(await hearing()).toEqual(expect.arrayContaining(heard));
    expect((await rename(present, 'heard', 'Heard')).status).toBe(200);
    expect(await watch?.changed()).toBe(true);
  });

  it('a node starts, and serves the others at once', async () => {
    const media = await mkdtemp(join(tmpdir(), 'tenon-media-'));
    const node = await startProcess({ databaseUrl: shop.citus.coordinator.url, env: { MEDIA_STORAGE: media } });
    const ready = await call(`${node.url}/readyz`, 'GET', {});
    const lists = await Promise.all([gone, present].map((app) => list(app, node)));
    await node.end();
    await rm(media, { recursive: true });
    expect(ready.status, ready.body).toBe(200);
    expect(lists.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('a token that no store knows is refused by the others', async () => {
    const answer = await list({ ...present, headers: { ...present.headers, authorization: 'Bearer tkn_none' } });
    expect(answer.status, answer.body).toBe(401);
  });

  it('the node answers nobody with an internal error', async () => {
    const statuses = await Promise.all(shop.apps.map(async (app) => (await list(app)).status));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});

describe('when it is back', () => {
  it('its stores read and write again, and the key of the refused write is free', async () => {
    await eventually(async () => expect((await list(gone)).status).toBe(200));
    const first = await rename(gone, 'away', 'Away');
    expect(first.status).toBe(200);
    await eventually(() => expect(deliveriesOf(gone, 'Away')).toHaveLength(1));
  });

  it('whose lease failed has kept no lock', async () => {
    const other = onOwnSession(shop.citus.coordinator.url, (session) => createWorkLeases({ session, sql: database }));
    const lease = await other.acquire(...importsOf(gone));
    await other.close();
    expect(lease).not.toBeNull();
  });
});

describe('while a worker is silent', () => {
  const PENDING = `SELECT count(*)::int AS pending FROM deliveries WHERE store_id = $1 AND status = 'Pending'`;
  const pendingOf = async ({ storeId }: StoreWithApp): Promise<number> =>
    (await database.pool.query<{ pending: number }>(PENDING, [storeId])).rows[0]?.pending ?? 0;

  it('the requests of its stores, and their attempts that cannot be recorded, do not keep those of the others waiting', async () => {
    const held: ServerResponse[] = [];
    shop.receiver.answer((response, request) => {
      if (String(request.body).includes(gone.storeId)) held.push(response);
      else respond(204)(response, request);
    });
    await rename(gone, 'silent', 'Silent');
    await eventually(() => expect(held).toHaveLength(1));
    await freeze(worker.pid());
    const waiting: Promise<unknown>[] = [];
    const isSilent = await whileFrozen([...(await childrenOf(worker.pid())), worker.pid()], async () => {
      held[0]?.writeHead(204).end();
      for (const turn of ['first', 'second']) {
        waiting.push(list(gone), rename(gone, `silent-${turn}`, 'Silent'));
        expect((await list(present)).status).toBe(200);
        expect((await rename(present, `beside-${turn}`, `Beside ${turn}`)).status).toBe(200);
        await eventually(() => expect(deliveriesOf(present, `Beside ${turn}`)).toHaveLength(1));
        await eventually(async () => expect(await pendingOf(present)).toBe(0));
      }
    });
    expect(isSilent).toBe(true);
    shop.receiver.answer(respond(204));
    await Promise.all(waiting);
    await eventually(async () => expect(await pendingOf(gone)).toBe(0));
  });
});
