import { serve, type ServerType } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Tenon } from 'tenon-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '../../examples/hono-receiver/app.ts';
import { merchantOf, storeAddress, type Installed } from '../../examples/host/merchant.ts';
import { startApp, type SearchApp, type Settings } from '../../examples/search-index/app.ts';
import { eventually } from '../support/eventually.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
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
    // Its address stays the same when it starts again.
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
