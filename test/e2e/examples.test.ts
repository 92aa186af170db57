import { serve, type ServerType } from '@hono/node-server';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tenon } from 'tenon-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createApp } from '../../examples/hono-receiver/app.ts';
import { createApp as createManyStores, nightly, type Settings as ManyStores } from '../../examples/many-stores/app.ts';
import { openStores, type Stores } from '../../examples/many-stores/stores.ts';
import { merchantOf, storeAddress, type Installed } from '../../examples/host/merchant.ts';
import { startApp, type SearchApp, type Settings } from '../../examples/search-index/app.ts';
import type { State } from '../../examples/stock-sync/state.ts';
import { syncOnce } from '../../examples/stock-sync/sync.ts';
import { eventually } from '../support/eventually.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { latch } from '../support/latch.ts';
import { runMain } from '../support/main-process.ts';
import { createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { SETTINGS } from '../support/server.ts';

const NAMES = ['Block plane', 'Jack plane', 'Dovetail saw'];

let database: TestDatabase;
let server: LocalServer;
let merchant: ReturnType<typeof merchantOf>;
let storeId: string;
let install: (scopes: readonly string[]) => Promise<Installed>;
let products: Readonly<Record<string, string>>;
let store: string;

beforeAll(async () => {
  database = await openTestDatabase();
  server = await startLocally({ databaseUrl: database.url });
  const host = { ...server, adminToken: SETTINGS.ADMIN_TOKEN };
  merchant = merchantOf(host);
  const created = await merchant.post(201, '/admin/stores', { domain: 'examples.localhost', currency: 'EUR' });
  storeId = (JSON.parse(created.body) as { id: string }).id;
  store = storeAddress(host, 'examples.localhost');
  install = async (scopes) =>
    JSON.parse((await merchant.post(201, `/admin/stores/${storeId}/apps`, { name: 'Example', scopes })).body) as Installed;
  const ids = NAMES.map((_, n) => `00000000-0000-4000-8000-00000000000${n}`);
  products = Object.fromEntries(NAMES.map((name, n) => [name, ids[n]!]));
  await merchant.importProducts(
    storeId,
    NAMES.map((name, n) => ({ id: ids[n], name, status: 'Active', variants: [{ sku: `S-${n}`, currency: 'EUR', price: 9 }] })),
  );
});

afterAll(async () => {
  await server.end();
  await database.close();
});

const rename = (id: string | undefined, name: string) => merchant.importProducts(storeId, [{ id, name }]);

const add = async (name: string): Promise<void> => {
  const variants = [{ sku: name, currency: 'EUR', price: 9 }];
  expect(await merchant.importProducts(storeId, [{ name, status: 'Active', variants }])).toMatchObject({ created: 1 });
};

describe('the search index', () => {
  let index: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let settings: Settings;
  let app: SearchApp;

  const search = async (q: string): Promise<string[]> => {
    const answer = await fetch(`${app.url}/search?q=${q}`);
    return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  };

  beforeAll(async () => {
    index = await createEmptyDatabase();
    const installed = await install(['write_products', 'write_webhooks']);
    settings = { ...installed, store, databaseUrl: index.url, port: 0 };
    app = await startApp(settings);
    // The address stays the same when the app starts again.
    settings = { ...settings, port: Number(new URL(app.url).port) };
  });
  afterAll(async () => {
    await app.stop();
    await index.drop();
  });

  it('has the whole list after its first start', async () => {
    expect(await search('plane')).toEqual(['Block plane', 'Jack plane']);
  });

  it('gets changes by webhook, of names only', async () => {
    await rename(products['Jack plane'], 'Jack plane No. 5');
    await eventually(async () => expect(await search('plane')).toEqual(['Block plane', 'Jack plane No. 5']));
  });

  it('gets by the feed what happened while it did not run', async () => {
    await app.stop();
    await rename(products['Block plane'], 'Low-angle plane');
    await add('Router plane');
    app = await startApp(settings);
    expect(await search('plane')).toEqual(['Jack plane No. 5', 'Low-angle plane', 'Router plane']);
  });

  it('sets titles in bulk, and the same job again changes nothing', async () => {
    const run = async () => {
      const body = JSON.stringify({ job: 'autumn', q: 'plane', suffix: 'Made to last' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${app.url}/titles`, { method: 'POST', headers, body })).json();
    };
    expect(await run()).toEqual({ Updated: 3, Unchanged: 0, Failed: 0, replayed: 0 });
    await add('Shoulder plane');
    await eventually(async () => expect(await search('plane')).toHaveLength(4));
    expect(await run()).toEqual({ Updated: 3, Unchanged: 0, Failed: 0, replayed: 3 });
  });
});

describe('prices and stock', () => {
  let folder: string;
  let files: { readonly SOURCE: string; readonly STATE: string };
  let installed: Installed;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-stock-sync-'));
    files = { SOURCE: join(folder, 'warehouse.csv'), STATE: join(folder, 'own', 'state.json') };
    installed = await install(['write_products', 'write_inventory']);
    const variants = ['A', 'B'].map((sku) => ({ sku, currency: 'EUR', price: 1, inventory: [{ available: 1 }] }));
    await merchant.importProducts(storeId, [{ name: 'Stocked', variants }]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const warehouse = (...rows: readonly string[]) => writeFile(files.SOURCE, `${['sku,price,stock', ...rows].join('\n')}\n`);
  const app = () => new Tenon({ ...installed, store });
  const shown = async () => {
    const list: unknown[] = [];
    for await (const { sku, price, inventory } of app().variants.bySku(['A', 'B']))
      list.push([sku, price, inventory[0]?.available]);
    return list.toSorted();
  };
  const sync = () => syncOnce(app(), { source: files.SOURCE, state: files.STATE });
  const sell = async (sku: string, count: number) => {
    for await (const { status } of app().variants.bulkUpdate([{ sku, stock: [{ adjust: -count }] }], {
      key: `sale ${randomUUID()}`,
    }))
      expect(status).toBe('Updated');
  };

  /** Between the app and the store. The first bulk update is done, but its answer comes too late: `onDone` is called in place of it. */
  const lateStore = async (onDone: () => void) => {
    let isLate = true;
    const proxy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        const { port } = new URL(store);
        const forwarded = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
          if (isLate && path?.endsWith('/variants/bulk') === true) {
            isLate = false;
            answer.resume().once('end', onDone);
          } else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
        });
        forwarded.end(Buffer.concat(chunks));
      });
    }).listen(0);
    await once(proxy, 'listening');
    const url = `http://examples.localhost:${(proxy.address() as AddressInfo).port}`;
    return { url, close: () => proxy.close().closeAllConnections() };
  };

  it('are brought to the store, and the sales of the shop stay', async () => {
    await warehouse('A,10,50', 'B,20,60', 'C,30,70');
    expect((await sync()).map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['Updated', null],
      ['Updated', null],
      ['Failed', 'variant_not_found'],
    ]);
    expect(await shown()).toEqual([
      ['A', 10, 50],
      ['B', 20, 60],
    ]);
    await sell('A', 5);
    await warehouse('A,10,58', 'B,19.5,60');
    expect(await sync()).toHaveLength(2);
    expect(await sync()).toEqual([]);
    expect(await shown()).toEqual([
      ['A', 10, 53],
      ['B', 19.5, 60],
    ]);
  });

  it('are changed once by an app that is killed with SIGKILL before it has the answer', async () => {
    const done = latch();
    const late = await lateStore(() => done.open());
    const run = () =>
      runMain({
        command: [process.execPath, '--import', 'tsx', 'examples/stock-sync/main.ts'],
        env: { ...files, STORE: late.url, CLIENT_ID: installed.clientId, CLIENT_SECRET: installed.clientSecret },
      });
    await warehouse('A,11,60', 'B,19.5,59');
    const killed = run();
    await done.opened;
    killed.child.kill('SIGKILL');
    await killed.ended;
    // Rows that the warehouse writes meanwhile are for the next job.
    await warehouse('A,11,61', 'B,19.5,59');
    const again = run();
    const printed = await again.says('before');
    expect(printed).toContain('Updated before');
    await again.stop();
    late.close();
    await sync();
    expect(await shown()).toEqual([
      ['A', 11, 56],
      ['B', 19.5, 59],
    ]);
  });

  it('are not changed again by a job that the store may have forgotten', async () => {
    const before = await shown();
    const state = JSON.parse(await readFile(files.STATE, 'utf8')) as State;
    const hours = 3_600_000;
    const changes = [{ sku: 'A', stock: [{ adjust: 3 }] }];
    const planned = (age: number | null) => {
      const job = {
        key: `planned ${randomUUID()}`,
        changes,
        rows: {},
        ...(age !== null && { plannedAt: new Date(Date.now() - age) }),
      };
      return writeFile(files.STATE, JSON.stringify({ ...state, job }));
    };
    // Without its time, it is of an older app.
    for (const age of [21 * hours, null]) {
      await planned(age);
      await expect(sync()).rejects.toThrow('too old to repeat');
    }
    // The row becomes too old while it waits for a store that is away.
    await planned(20 * hours - 200);
    const away = new Tenon({ ...installed, store: 'http://127.0.0.1:9', maxAttempts: Infinity });
    await expect(syncOnce(away, { source: files.SOURCE, state: files.STATE })).rejects.toThrow('too old to repeat');
    expect(await shown()).toEqual(before);
    await planned(19 * hours);
    expect(await sync()).toMatchObject([{ status: 'Updated' }]);
  });

  it('end the app with one sentence then', async () => {
    const state = JSON.parse(await readFile(files.STATE, 'utf8')) as State;
    await writeFile(
      files.STATE,
      JSON.stringify({ ...state, job: { key: 'old', plannedAt: new Date(0), changes: [{ sku: 'A', price: 1 }], rows: {} } }),
    );
    const old = runMain({
      command: [process.execPath, '--import', 'tsx', 'examples/stock-sync/main.ts'],
      env: { ...files, STORE: store, CLIENT_ID: installed.clientId, CLIENT_SECRET: installed.clientSecret },
    });
    onTestFinished(() => void old.child.kill());
    expect(await old.ended).toBe(1);
    expect(old.err()).toMatch(/^The last job is too old .+\n$/);
  });
});

describe('the app for many stores', () => {
  interface Registered {
    readonly app: { readonly id: string };
    readonly clientId: string;
    readonly clientSecret: string;
    readonly signingSecret: string;
  }
  const DOMAINS = ['sunrise.localhost', 'harbour.localhost'] as const;
  let folder: string;
  let site: Server;
  let url: string;
  let settings: ManyStores;
  let stores: Stores;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-many-stores-'));
    stores = await openStores(join(folder, 'own', 'stores.json'));
    const handler: { app?: RequestListener } = {};
    site = createServer((request, response) => handler.app?.(request, response)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const urls = { redirectUrls: [`${url}/installed`], eventUrl: `${url}/events` };
    const registered = await merchant.post(201, '/admin/platform-apps', { name: 'Nightly', scopes: ['read_products'], ...urls });
    const { signingSecret, ...credentials } = JSON.parse(registered.body) as Registered;
    const addressOf = (domain: string) => storeAddress({ ...server, adminToken: '' }, domain);
    settings = { ...credentials, signingSecrets: [signingSecret], storesBelow: '.localhost', addressOf, publicUrl: url };
    handler.app = createManyStores(settings, stores);
    for (const domain of DOMAINS) await merchant.post(201, '/admin/stores', { domain, currency: 'EUR' });
  });
  afterAll(async () => {
    site.close();
    site.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  const visit = (address: string, cookie = '') => fetch(address, { redirect: 'manual', headers: { cookie } });
  /** The merchant presses the button, and accepts. Returns where their browser goes then, and its cookies. */
  const accept = async (domain: string) => {
    const begun = await visit(`${url}/install?store=${domain}`);
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { port } = new URL(server.url);
    const asked = new URL(begun.headers.get('location') ?? '');
    // Node.js does not resolve names below localhost.
    const headers = { 'x-tenon-store': domain };
    const sent = await fetch(`http://127.0.0.1:${port}${asked.pathname}${asked.search}`, { redirect: 'manual', headers });
    const id = new URL(sent.headers.get('location') ?? '').searchParams.get('request') ?? '';
    const { body } = await merchant.post(200, `/admin/install-requests/${id}/accept`, {});
    return { ...(JSON.parse(body) as { redirectUrl: string; installation: { id: string } }), cookie };
  };
  const night = async () => {
    const failed: string[] = [];
    const nights = await nightly(settings, stores, (domain, { code }) => failed.push(`${domain} ${code}`));
    return { nights: nights.toSorted((a, b) => a.domain.localeCompare(b.domain)), failed };
  };

  it('is installed from its button on two stores, and works on both each night', async () => {
    for (const domain of DOMAINS) {
      const { redirectUrl, cookie } = await accept(domain);
      const back = await visit(redirectUrl, cookie);
      expect([back.status, await back.text()]).toEqual([200, expect.stringContaining('Thank you')]);
    }
    await eventually(() => expect(stores.working()).toHaveLength(2));
    expect(await night()).toMatchObject({ nights: [{ domain: DOMAINS[1], products: 0 }, { domain: DOMAINS[0] }], failed: [] });
  });

  it('sends no merchant, and no secret, to an address that is not a store', async () => {
    for (const store of [
      'evil.example',
      'evil.example/.localhost',
      'sunrise.localhost:80@evil.example',
      '.localhost@evil.example',
    ])
      expect((await visit(`${url}/install?store=${encodeURIComponent(store)}`)).status).toBe(400);
  });

  it('believes no browser that brings another state, or another store', async () => {
    const { redirectUrl, cookie } = await accept(DOMAINS[0]);
    const other = cookie.replace(/=[0-9a-f]{4}/, '=0000');
    expect((await visit(redirectUrl)).status).toBe(400);
    expect((await visit(redirectUrl, other)).status).toBe(400);
    expect((await visit(redirectUrl.replace(DOMAINS[0], 'evil.example'), cookie)).status).toBe(400);
    expect((await visit(redirectUrl, cookie)).status).toBe(200);
    const forged = await fetch(`${url}/events`, { method: 'POST', body: '{"type":"app.installed"}' });
    expect(forged.status).toBe(400);
  });

  it('leaves a store alone whose uninstallation overtook the installation', async () => {
    const own = await openStores(join(folder, 'own', 'overtaken.json'));
    await own.learn('s', 'gone', '2026-11-22T10:00:02.000Z');
    await own.learn('s', 'working', '2026-11-22T10:00:01.000Z', 'late.localhost');
    expect(own.working()).toEqual([]);
    await own.learn('s', 'working', '2026-11-22T10:00:03.000Z', 'late.localhost');
    expect(own.working()).toMatchObject([{ domain: 'late.localhost' }]);
  });

  it('does not always begin with the same store', async () => {
    const order: string[] = [];
    const away = { ...settings, addressOf: () => 'http://127.0.0.1:9' };
    const known = ['a', 'b', 'c'].map((domain) => ({ storeId: domain, domain, state: 'working', at: '' }) as const);
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.4);
    await nightly(away, { ...stores, working: () => known }, (domain) => order.push(domain));
    random.mockRestore();
    expect(order).toEqual(['b', 'c', 'a']);
  });

  it('leaves a store alone that has uninstalled it, also after a restart', async () => {
    const { installation } = await accept(DOMAINS[0]);
    await merchant.post(204, `/admin/apps/${installation.id}/uninstall`);
    await eventually(() => expect(stores.working()).toMatchObject([{ domain: DOMAINS[1] }]));
    stores = await openStores(join(folder, 'own', 'stores.json'));
    expect((await night()).nights).toMatchObject([{ domain: DOMAINS[1] }]);
  });
});

describe('the receiver in Hono', () => {
  const lines: string[] = [];
  let receiver: ServerType;
  afterAll(() => receiver.close());

  it('accepts what Tenon delivers, and nothing else', async () => {
    const { clientId, clientSecret, signingSecret } = await install(['read_products', 'write_webhooks']);
    receiver = serve({ fetch: createApp([signingSecret], (line) => lines.push(line)).fetch, port: 0, hostname: '127.0.0.1' });
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
    const forged = await fetch(url, { method: 'POST', body: '{"type":"product.updated"}' });
    expect(forged.status).toBe(400);
    await new Tenon({ store, clientId, clientSecret }).subscriptions.create({ url, eventTypes: ['product.updated'] });
    await rename(products['Dovetail saw'], 'Gent saw');
    await eventually(() => expect(lines.toSorted()).toEqual(['ping', `product.updated ${products['Dovetail saw']}: name`]));
  });
});
