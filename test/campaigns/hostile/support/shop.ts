import { randomUUID } from 'node:crypto';

import { FIELD_TYPES } from '../../../../src/domain/custom-data/metaobject.ts';
import { ENFORCED_SCOPES } from '../../../../src/domain/identity/scope.ts';
import type { Operation } from './operations.ts';
import { asAdmin, asApp, type Site } from './site.ts';

export interface App {
  readonly installationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  /** Part of every text of the app. */
  readonly mark: string;
  readonly subscription: string;
  readonly mediaImport: string;
  /** A delivery to its subscription. */
  readonly delivery: string;
}

/** A store with something of each kind in it. */
export interface Shop {
  readonly id: string;
  readonly domain: string;
  /** Part of every text of the store. */
  readonly mark: string;
  readonly products: readonly string[];
  readonly collection: string;
  readonly category: string;
  readonly taxClass: string;
  readonly merchantSubscription: string;
  readonly delivery: string;
  readonly redelivery: string;
  readonly operator: string;
  readonly operatorToken: string;
  readonly platformApp: string;
  /** An event since the last app was installed. */
  readonly event: string;
  readonly apps: readonly App[];
}

const OK = [200, 201, 202];
const PRODUCTS = 10;
export const TYPE = 'note';
const HANDLE = 'one';
/** The definition's fields are named for their types. */
const DEFINITION = {
  name: 'Note',
  fields: [
    ...FIELD_TYPES.map((type) => ({ key: type, type })),
    // Fields of the example in the OpenAPI document.
    { key: 'title', type: 'multi_line_text' },
    { key: 'hex', type: 'color' },
  ],
};
export const ENTRY_PATH = `/custom-data/metaobjects/${TYPE}/entries/${HANDLE}`;
const IMPORTS = '/apps/media/imports';
/** The id of a request that was not refused. */
const UNKNOWN = randomUUID();

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what was answered
const parsed = <T>(answer: { readonly body: string }): T => JSON.parse(answer.body) as T;

const documentOf = (mark: string, index: number) => ({
  id: randomUUID(),
  name: `${mark} ${index}`,
  slug: `${mark}-${index}`,
  description: mark,
  tags: [mark],
  variants: [{ sku: `${mark}-${index}`, currency: 'EUR', price: 10 }],
});

export const tokenOf = async (site: Site, domain: string, app: Pick<App, 'clientId' | 'clientSecret'>): Promise<string> => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: app.clientId,
    client_secret: app.clientSecret,
  });
  const answer = await site.attacker.send({
    what: 'a token request',
    base: site.url,
    method: 'POST',
    path: '/apps/token',
    headers: { host: domain, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    wanted: [200],
    makesSecrets: true,
  });
  return parsed<{ accessToken: string }>(answer).accessToken;
};

/** An app with these scopes and a token; nothing is its own yet. */
export const installApp = async (
  site: Site,
  shop: Pick<Shop, 'id' | 'domain'>,
  scopes: readonly string[],
): Promise<Pick<App, 'installationId' | 'clientId' | 'clientSecret' | 'token'>> => {
  const made = await asAdmin(site)(
    'POST',
    `/admin/stores/${shop.id}/apps`,
    { name: 'App', scopes },
    { wanted: [201], makesSecrets: true },
  );
  const { installation, clientId, clientSecret } = parsed<{
    installation: { id: string };
    clientId: string;
    clientSecret: string;
  }>(made);
  const token = await tokenOf(site, shop.domain, { clientId, clientSecret });
  return { installationId: installation.id, clientId, clientSecret, token };
};

/** An app with every scope, and something of each kind that is an app's own. */
const openApp = async (
  site: Site,
  shop: Pick<Shop, 'id' | 'domain' | 'products'>,
  mark: string,
  hasMedia: boolean,
): Promise<App> => {
  const app = await installApp(site, shop, ENFORCED_SCOPES);
  const ask = asApp(site, shop, app);
  const wanted = { wanted: OK };
  const url = `https://hooks.example.com/${mark}`;
  const made = await ask(
    'POST',
    '/apps/webhooks/subscriptions',
    { url, eventTypes: ['product.updated'], description: mark },
    wanted,
  );
  await ask('PUT', ENTRY_PATH, { fields: { single_line_text: mark }, seoTitle: mark }, wanted);
  const items = [{ sourceUrl: `https://images.example.com/${mark}.jpg`, productId: shop.products[0] }];
  const started = hasMedia ? parsed<{ importId: string }>(await ask('POST', IMPORTS, { items }, wanted)).importId : randomUUID();
  const subscription = parsed<{ id: string }>(made).id;
  // By the merchant, since the app may be at its rate limit.
  const merchant = asAdmin(site);
  await merchant('POST', `/admin/subscriptions/${subscription}/ping`, undefined, wanted);
  const log = await merchant('GET', `/admin/stores/${shop.id}/deliveries?subscriptionId=${subscription}`, undefined, wanted);
  const sent = parsed<{ items: { id: string }[] }>(log);
  return {
    ...app,
    mark,
    subscription,
    mediaImport: started,
    delivery: sent.items[0]?.id ?? randomUUID(),
  };
};

/** Creates the merchant's other records, each under a separate id. */
const fillShop = async (site: Site, at: string, mark: string, products: readonly string[]) => {
  const ask = asAdmin(site);
  const wanted = { wanted: OK };
  const [collection, category, taxClass] = [randomUUID(), randomUUID(), randomUUID()];
  await ask('PUT', `${at}/collections/${collection}`, { title: mark, handle: mark, productIds: products }, wanted);
  await ask('PUT', `${at}/categories/${category}`, { name: mark }, wanted);
  await ask('PUT', `${at}/tax-classes/${taxClass}`, { name: mark, code: mark }, wanted);
  await ask('PUT', `${at}/metaobject-definitions/${TYPE}`, DEFINITION, wanted);
  const hook = { url: `https://hooks.example.com/${mark}`, eventTypes: ['order.paid'], description: mark };
  const made = await ask('POST', `${at}/webhooks/subscriptions`, hook, { ...wanted, makesSecrets: true });
  await ask('POST', `${at}/events`, { type: 'order.paid', data: { id: mark } }, wanted);
  const { items } = parsed<{ items: { id: string }[] }>(await ask('GET', `${at}/deliveries`, undefined, wanted));
  const again = await ask('POST', `${at}/deliveries/redeliver`, { types: ['order.paid'] }, wanted);
  const operator = parsed<{ id: string }>(await ask('POST', '/admin/operators', { name: mark }, { wanted: OK })).id;
  const token = await ask('POST', `/admin/operators/${operator}/tokens`, { name: mark }, { wanted: OK, makesSecrets: true });
  const manifest = { name: mark, redirectUrls: ['https://app.example.com/installed'], scopes: [] };
  const registered = await ask('POST', '/admin/platform-apps', manifest, { wanted: OK, makesSecrets: true });
  return {
    operator,
    operatorToken: parsed<{ id: string }>(token).id,
    platformApp: parsed<{ app: { id: string } }>(registered).app.id,
    collection,
    category,
    taxClass,
    merchantSubscription: parsed<{ id: string }>(made).id,
    delivery: items[0]?.id ?? randomUUID(),
    // Null where nothing was there to be sent again.
    redelivery: parsed<{ id: string | null }>(again).id ?? randomUUID(),
  };
};

/** Opens a store with this many apps. `operations` decide which resources are created. */
export const openShop = async (site: Site, operations: readonly Operation[], appCount: number): Promise<Shop> => {
  const mark = `mark-${randomUUID().slice(0, 8)}`;
  const domain = `${mark}.example`;
  const made = await asAdmin(site)('POST', '/admin/stores', { domain, name: mark, currency: 'EUR' }, { wanted: [201] });
  const { id } = parsed<{ id: string }>(made);
  const at = `/admin/stores/${id}`;
  const documents = Array.from({ length: PRODUCTS }, (_, index) => documentOf(mark, index));
  await asAdmin(site)('POST', `${at}/products/import`, documents.map((document) => JSON.stringify(document)).join('\n'), {
    headers: { 'content-type': 'application/x-ndjson' },
    wanted: [200],
  });
  const products = documents.map((document) => document.id);
  const rest = await fillShop(site, at, mark, products);
  const apps: App[] = [];
  const hasMedia = operations.some(({ path }) => path === IMPORTS);
  for (let index = 0; index < appCount; index += 1) {
    apps.push(await openApp(site, { id, domain, products }, `mark-${randomUUID().slice(0, 8)}`, hasMedia));
  }
  const order = { type: 'order.paid', data: { id: mark } };
  const recorded = await asAdmin(site)('POST', `${at}/events`, order, { wanted: OK });
  return { id, domain, mark, products, ...rest, event: parsed<{ eventId: string }>(recorded).eventId, apps };
};

/** The value for `{id}` in a path, by the segment before it, and for other parameters by name. */
const placesOf = (shop: Shop, app: App, side: Operation['side']): Readonly<Record<string, string | undefined>> => ({
  '{storeId}': shop.id,
  '{installationId}': app.installationId,
  '{productId}': shop.products[0],
  '{categoryId}': shop.category,
  '{taxClassId}': shop.taxClass,
  '{collectionId}': shop.collection,
  '{deliveryId}': shop.delivery,
  '{redeliveryId}': shop.redelivery,
  '{subscriptionId}': shop.merchantSubscription,
  '{type}': TYPE,
  '{handle}': HANDLE,
  'products/{id}': shop.products[0],
  'collections/{id}': shop.collection,
  'subscriptions/{id}': side === 'app' ? app.subscription : shop.merchantSubscription,
  'imports/{id}': app.mediaImport,
  'deliveries/{id}': app.delivery,
  'events/{id}': shop.event,
  '{eventId}': shop.event,
  '{importId}': app.mediaImport,
  '{operatorId}': shop.operator,
  '{tokenId}': shop.operatorToken,
  '{platformAppId}': shop.platformApp,
  '{installRequestId}': UNKNOWN,
  '{sessionId}': UNKNOWN,
  '{methodId}': UNKNOWN,
  '{requestId}': UNKNOWN,
  '{key}': app.mark,
  '{name}': app.mark,
});

/** The path parameters that lead to resources of this shop and app. Throws for an unknown route. */
export const idsIn = ({ path, side }: Pick<Operation, 'path' | 'side'>, shop: Shop, app: App): Record<string, string> => {
  const places = placesOf(shop, app, side);
  return Object.fromEntries(
    [...path.matchAll(/([\w-]+)\/(\{(\w+)\})/g)].map(([, before = '', place = '', name = '']) => {
      const id = places[`${before}/${place}`] ?? places[place];
      if (id === undefined)
        throw new Error(`nothing is known to stand for ${place} in ${path}: tell test/campaigns/hostile/support/shop.ts`);
      return [name, id];
    }),
  );
};

export const pathOf = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
