import { randomUUID } from 'node:crypto';

import { now, type Option, type SubscriptionHistory } from '../history.ts';
import type { World } from '../world.ts';
import { asClient, asMerchant, type Ask } from '../../kit/merchant.ts';
import { must, settle } from './client.ts';

const EVENT_TYPES = ['product.created', 'product.updated', 'order.paid', 'media.import_completed', 'media.import_failed'];
const SCOPES = ['write_products', 'write_inventory', 'write_webhooks', 'read_orders'];
/** Stock of each variant. It is low enough that some adjustments are refused. */
export const FIRST_STOCK = 100;

/** SKU of the only variant of a shop's product. */
export const skuOf = (product: number): string => `sku-${product}`;

export interface App {
  readonly installationId: string;
  readonly storeId: string;
  readonly domain: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** How it asks for a token. */
  readonly signIn: Ask;
}

export interface Shop {
  readonly storeId: string;
  readonly domain: string;
  readonly productIds: readonly string[];
  /** Apps that stay to the end. */
  readonly apps: readonly App[];
}

interface Made {
  readonly installation: { readonly id: string };
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/**
 * Installs an app and gets a token. Null if the round gave up, or if a failover lost the app. Each of its deliveries takes `ms`
 * milliseconds.
 */
export const install = async (
  world: World,
  { storeId, domain }: Pick<Shop, 'storeId' | 'domain'>,
  delayMs: number,
): Promise<App | null> => {
  const made = await settle(world, 'install', asMerchant('POST', `/stores/${storeId}/apps`, { name: 'App', scopes: SCOPES }));
  if (!made) return null;
  const { installation, clientId, clientSecret, signingSecret } = JSON.parse(made.body) as Made;
  const signIn = asClient(domain, { clientId, clientSecret });
  const token = await settle(world, 'token', signIn);
  if (token?.status !== 200) return null;
  const { accessToken } = JSON.parse(token.body) as { accessToken: string };
  world.receiver.recipients.set(installation.id, { secret: signingSecret, delayMs });
  const headers = { host: domain, authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  return { installationId: installation.id, storeId, domain, headers, signIn };
};

type Noted = Pick<SubscriptionHistory, 'id' | 'storeId' | 'installationId'> & Partial<SubscriptionHistory>;

const note = (world: World, given: Noted): SubscriptionHistory => {
  const own = { line: given.id, option: null, eventTypes: EVENT_TYPES, createdAt: now() };
  const made = { ...own, removalSentAt: null, removedAt: null, ...given };
  world.history.subscriptions.push(made);
  return made;
};

const SUBSCRIPTIONS = '/apps/webhooks/subscriptions';

interface Wanted extends Readonly<Record<string, unknown>> {
  readonly option?: Option | null;
}

const ORDERED: Wanted = { option: 'order', order: 'resource' };

/** A subscription of the app's, with what is wanted beside its address. Null when it was refused (the app is gone) or the round gave up. */
export const subscribe = async (
  world: World,
  app: App,
  { option = null, ...wanted }: Wanted = {},
): Promise<SubscriptionHistory | null> => {
  const { storeId, installationId, headers } = app;
  const body = JSON.stringify({ url: world.receiver.urlOf(installationId), eventTypes: EVENT_TYPES, ...wanted });
  const answer = await settle(world, 'subscribe', { method: 'POST', path: SUBSCRIPTIONS, headers, body });
  if (answer?.status !== 200) return null;
  const { id, eventTypes } = JSON.parse(answer.body) as Pick<SubscriptionHistory, 'id' | 'eventTypes'>;
  return note(world, { id, storeId, installationId, option, eventTypes });
};

/** Puts another subscription in the place of this one, the only one of its app. Null when the round gave up. */
export const replace = async (world: World, app: App, replaced: SubscriptionHistory): Promise<SubscriptionHistory | null> => {
  const { headers } = app;
  const url = world.receiver.urlOf(app.installationId);
  const body = JSON.stringify({ url, eventTypes: replaced.eventTypes, replaces: replaced.id });
  replaced.removalSentAt = now();
  const answer = await settle(world, 'replace', { method: 'POST', path: SUBSCRIPTIONS, headers, body });
  // The answer may be lost and the work done: then there is nothing to replace any more, and the
  // list has the other one.
  const listed = answer && (await settle(world, 'list subscriptions', { method: 'GET', path: SUBSCRIPTIONS, headers }));
  if (listed?.status !== 200) return null;
  const [present] = JSON.parse(listed.body) as { id: string }[];
  if (present === undefined) throw new Error(`nothing has taken the place of ${replaced.id}`);
  if (present.id === replaced.id) {
    replaced.removalSentAt = null;
    return replaced;
  }
  replaced.removedAt = now();
  world.receiver.removed.add(replaced.id);
  return note(world, { ...replaced, id: present.id, createdAt: now(), removalSentAt: null, removedAt: null });
};

const subscribeMerchant = async (world: World, storeId: string, { option = null, ...wanted }: Wanted): Promise<void> => {
  const path = `/stores/${storeId}/webhooks/subscriptions`;
  const body = { url: world.receiver.urlOf(storeId), eventTypes: EVENT_TYPES, ...wanted };
  const { id, signingSecret } = await must<{ id: string; signingSecret: string }>(world, asMerchant('POST', path, body));
  world.receiver.recipients.set(storeId, { secret: signingSecret, delayMs: 0 });
  note(world, { id, storeId, installationId: null, option });
};

/**
 * Creates a store with products and apps, a subscription of the merchant and one of each app, which
 * ask for an order or not. Call it while nothing is broken.
 */
export const openShop = async (
  world: World,
  { products, apps, isOrdered = false }: { readonly products: number; readonly apps: number; readonly isOrdered?: boolean },
): Promise<Shop> => {
  const domain = `${randomUUID()}.example`;
  const { id: storeId } = await must<{ id: string }>(world, asMerchant('POST', '/stores', { domain }));
  const productIds = Array.from({ length: products }, () => randomUUID());
  const lines = productIds.map((id, k) =>
    JSON.stringify({
      id,
      name: `Product ${k}`,
      slug: `product-${k}`,
      variants: [{ sku: skuOf(k), currency: 'EUR', price: 10, inventory: [{ available: FIRST_STOCK }] }],
    }),
  );
  await must(world, asMerchant('POST', `/stores/${storeId}/products/import`, lines.join('\n')));
  const wanted = isOrdered ? ORDERED : {};
  await subscribeMerchant(world, storeId, wanted);
  const installed: App[] = [];
  for (let n = 0; n < apps; n += 1) {
    const app = await install(world, { storeId, domain }, 0);
    if (!app || !(await subscribe(world, app, wanted))) throw new Error('the shop could not be opened');
    installed.push(app);
  }
  return { storeId, domain, productIds, apps: installed };
};
