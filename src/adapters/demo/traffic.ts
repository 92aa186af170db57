import { request } from 'undici';

import type { Application } from '../../application/index.ts';
import { demoProducts } from './catalogue.ts';
import type { DemoStore } from './store.ts';

type CreatedStore = Extract<DemoStore, { created: true }>;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface TrafficOptions {
  readonly app: Application;
  readonly url: string;
  readonly receiver: string;
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' } as const;

const demoApp = (url: string) => {
  const call = async ({ method, path, headers = {}, body }: Call): Promise<unknown> => {
    const response = await request(url + path, { method, headers: { host: 'localhost', ...headers }, body: body ?? null });
    const text = await response.body.text();
    return text === '' ? null : JSON.parse(text);
  };
  return async (clientId: string, clientSecret: string) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const token = (await call({ method: 'POST', path: '/apps/token', headers: FORM_TYPE, body: form.toString() })) as {
      accessToken: string;
    };
    const authorization = `Bearer ${token.accessToken}`;
    return {
      get: (path: string) => call({ method: 'GET', path, headers: { authorization } }),
      post: (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
        call({ method: 'POST', path, headers: { authorization, ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }),
    };
  };
};

const BULK = '/apps/catalog/products/bulk';
const WELCOME_KEY = 'welcome-1';

const ORDERS = [
  ['order.created', { id: 'order-1001', total: 148.5, currency: 'EUR', items: 3 }],
  ['order.paid', { id: 'order-1001', total: 148.5, currency: 'EUR' }],
  ['order.created', { id: 'order-1002', total: 39, currency: 'EUR', items: 1 }],
  ['order.shipped', { id: 'order-1001', carrier: 'Parcel post' }],
] as const;

const titles = (count: number): { readonly products: readonly { readonly id: string; readonly metaTitle: string }[] } => ({
  products: demoProducts()
    .slice(0, count)
    .map(({ id, name }) => ({ id, metaTitle: `${name} | Joinery tools` })),
});

/**
 * Lets the demo store live for a moment, so that no page of the console is empty: a subscription that
 * works and one that fails, events, a bulk update with its replay, and calls that are refused.
 */
export const makeDemoTraffic = async (store: CreatedStore, { app, url, receiver }: TrafficOptions): Promise<void> => {
  const signIn = demoApp(url);
  const { storeId } = store;
  await app.createMerchantSubscription(null, storeId, {
    url: `${receiver}/demo/warehouse`,
    eventTypes: ['order.paid', 'order.shipped'],
    description: 'Warehouse (always fails, to show what that looks like)',
  });
  const owner = await signIn(store.clientId, store.clientSecret);
  await owner.post('/apps/webhooks/subscriptions', {
    url: `${receiver}/demo/search-index`,
    eventTypes: ['product.updated', 'order.created'],
    description: 'Search index',
  });
  const key = { 'idempotency-key': WELCOME_KEY };
  await owner.post(BULK, titles(8), key);
  // An equal request is replayed; a different one with the same key is refused.
  await owner.post(BULK, titles(8), key);
  await owner.post(BULK, titles(2), key);
  for (const [type, data] of ORDERS) await app.recordEvent(null, storeId, { type, data });
  const viewer = await app.installApp(storeId, { name: 'Price watcher', scopes: ['read_products'] });
  if (!viewer.ok) return;
  const reader = await signIn(viewer.value.clientId, viewer.value.clientSecret);
  await reader.get('/apps/catalog/products?take=5');
  await reader.post(BULK, titles(1), { 'idempotency-key': 'price-watcher-1' });
};
