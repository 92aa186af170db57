import { describe, expect, it } from 'vitest';

import { banner, commandFor } from '../../src/adapters/wiring/banner.ts';
import { createDemoStore } from '../../src/adapters/demo/store.ts';
import { EVENT_FIELDS } from '../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication } from '../../src/application/index.ts';
import { PRODUCT_KINDS, type ProductDocument } from '../../src/domain/catalogue/product.ts';
import { openMemoryPorts } from '../support/memory-ports.ts';
import { DELIVERY } from '../support/delivery-settings.ts';
import { NO_SANDBOXES } from '../support/sandbox-settings.ts';
import { allOf } from '../support/all-of.ts';

const open = () => {
  return createApplication(openMemoryPorts(), {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    ...NO_SANDBOXES,
    adminToken: 'the-admin-token-of-the-tests',
    appConsoleUrl: null,
    consentUrl: 'https://console.test/console/install',
    webhookAllowedCidrs: [],
    eventFields: EVENT_FIELDS,
    delivery: DELIVERY,
  });
};

const create = async () => {
  const app = open();
  const store = await createDemoStore(app);
  if (!store.created) throw new Error('a new database has no store');
  const products: ProductDocument[] = await allOf(app.exportProducts(store.storeId));
  return { app, store, products };
};

const NOTHING: ReadonlySet<unknown> = new Set([null, '', 0, false]);

/** Every field by its path, with whether any product gives it more than nothing. */
const fieldsOf = (value: unknown, path: string, used: Map<string, boolean>): void => {
  if (Array.isArray(value)) {
    used.set(path, (used.get(path) ?? false) || value.length > 0);
    for (const element of value) fieldsOf(element, path, used);
  } else if (typeof value === 'object' && value !== null) {
    used.set(path, true);
    for (const [key, inner] of Object.entries(value)) fieldsOf(inner, path === '' ? key : `${path}.${key}`, used);
  } else {
    used.set(path, (used.get(path) ?? false) || !NOTHING.has(value));
  }
};

describe('the demo store', () => {
  it('has about 60 products of all four kinds on the domain localhost', async () => {
    const { app, store, products } = await create();
    expect(products).toHaveLength(60);
    expect(new Set(products.map(({ kind }) => kind))).toEqual(new Set(PRODUCT_KINDS));
    expect(await app.getStore(store.storeId)).toMatchObject({ ok: true, value: { domain: 'localhost' } });
    expect(products.some(({ id }) => id === store.exampleProductId)).toBe(true);
  });

  it('uses every field and nested collection of the product detail at least once', async () => {
    const used = new Map<string, boolean>();
    for (const product of (await create()).products) fieldsOf(product, '', used);
    // Nested records were never changed, nothing that is live was deleted, and the parents of categories are the export's addition.
    const beside = /(deletedAt|isDeleted|\.updatedAt)$|ategory\.(parent|parentId)(\.|$)/;
    expect([...used].filter(([path, is]) => !is && !beside.test(path)).map(([path]) => path)).toEqual([]);
    expect(used.size).toBeGreaterThan(150);
  });

  it('is the same every time, except for the secrets', async () => {
    expect((await create()).products).toEqual((await create()).products);
  });

  it('is created once: a second start keeps the data', async () => {
    const { app } = await create();
    expect(await createDemoStore(app)).toEqual({ created: false });
  });

  it('announces its creation, and announces nothing when it exists', async () => {
    const app = open();
    const told: string[] = [];
    for (let start = 0; start < 2; start += 1) await createDemoStore(app, (message) => told.push(message));
    expect(told).toEqual(['Creating the demo store']);
  });

  it('is created by one of two nodes that find an empty database at the same time', async () => {
    const app = open();
    const made = await Promise.all([createDemoStore(app), createDemoStore(app)]);
    expect(made.map(({ created }) => created)).toEqual([true, false]);
    const stores = await app.listStores({ skip: 0, take: 10 });
    expect(stores.value.total).toBe(1);
  });
});

describe('the banner', () => {
  const urls = {
    url: 'http://localhost:4000',
    adminUrl: 'http://127.0.0.1:4001',
    consoleUrl: 'http://127.0.0.1:4001/console/#code=tnn_code_x',
  };
  const adminToken = 'the-admin-token';
  const addresses = { ...urls, adminToken, tokenFile: '/data/secrets.json', command: 'PORT_OF=it npx tenon' };

  it('a first start shows the address, client id, client secret, signing secret and admin token', async () => {
    const { store } = await create();
    const text = banner(addresses, store);
    for (const shown of [...Object.values(urls), adminToken, store.clientId, store.clientSecret, store.signingSecret])
      expect(text).toContain(shown);
  });

  it('a second start says that the data is kept and how to rotate, without the admin token', () => {
    const text = banner(addresses, { created: false });
    expect(text).toMatch(/is kept[\s\S]*rotate-client-secret[\s\S]*rotate-signing-secret/);
    expect(text).not.toContain(adminToken);
    expect(text).toContain(urls.consoleUrl);
  });

  it('an admin token that ADMIN_TOKEN sets is never shown', async () => {
    const { store } = await create();
    const configured = { ...addresses, tokenFile: null };
    for (const text of [banner(configured, store), banner(configured, { created: false })]) {
      expect(text).not.toContain(adminToken);
    }
    expect(banner(configured, store)).toContain('the value of ADMIN_TOKEN');
  });

  it('ends with how to stop and how to get a new link', async () => {
    const { store } = await create();
    for (const text of [banner(addresses, store), banner(addresses, { created: false })])
      expect(text).toMatch(/\nCtrl-C stops the server\. For a new link to the console: PORT_OF=it npx tenon open\n$/);
  });

  it('names the settings by which a command finds the server, where they are not the defaults', () => {
    const settings = { ADMIN_HOST: '127.0.0.1', DATA_DIR: './data' };
    expect(commandFor(settings, 'http://127.0.0.1:4001')).toBe('npx tenon');
    expect(commandFor({ ...settings, DATA_DIR: "it's mine" }, 'http://127.0.0.1:4101')).toBe(
      `ADMIN_PORT=4101 DATA_DIR='it'\\''s mine' npx tenon`,
    );
  });
});
