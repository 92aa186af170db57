import { randomUUID } from 'node:crypto';

import type { Random } from '../faults/random.ts';
import { asClient, asMerchant } from '../kit/merchant.ts';
import { must, type Node } from './client.ts';
import { STATUSES, TAGS } from './pages.ts';
import type { Moment } from './timeline.ts';

/** An app that may be uninstalled. */
export interface App {
  readonly installationId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When its uninstallation was sent, and when it was answered. */
  removalSentAt: Moment;
  removedAt: Moment;
}

export interface Shop {
  readonly storeId: string;
  readonly domain: string;
  readonly productIds: readonly string[];
  readonly categoryIds: readonly string[];
  readonly taxClassIds: readonly string[];
  readonly collectionIds: readonly string[];
  /** Installed to the end, for the writes and most reads. */
  readonly app: App;
  /** The last ones. Only the newest may still be installed. */
  readonly shortLivedApps: App[];
  readonly deleted: Set<string>;
}

const PRODUCTS = 130;
const SCOPES = ['write_products', 'read_collections'];

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** Each text names its store, so that an answer to another one is noticed. */
export const textOf = ({ domain }: Pick<Shop, 'domain'>, text: string): string => `${text} (${domain})`;

/** The stores that the texts of an answer name. */
export const namedStores = (answer: string): Set<string> =>
  new Set(Array.from(answer.matchAll(/\((shop-\d+\.example)\)/g), ([, domain = '']) => domain));

/** The fields of the product itself are always the same by its id and store, and what belongs to it is not. */
export const documentOf = (random: Random, shop: Pick<Shop, 'domain' | 'categoryIds' | 'taxClassIds'>, id: string): object => {
  const number = parseInt(id.slice(0, 6), 16);
  const pick = <T>(from: readonly T[]): T => from[number % from.length] as T;
  const price = (100 + random.below(10_000)) / 100;
  return {
    id,
    name: textOf(shop, `Product ${id.slice(0, 8)}`),
    // A product that is created again is where it was, in the list of every store.
    createdAt: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    status: pick(STATUSES),
    categoryId: pick(shop.categoryIds),
    taxClassId: pick(shop.taxClassIds),
    tags: [pick(TAGS), pick(['new', 'old'])],
    specifications: [{ name: 'Weight', value: `${random.below(1000)} g`, position: 1 }],
    options: [{ name: 'Size', position: 0, values: ['S', 'L'].map((value, position) => ({ value, position })) }],
    variants: ['S', 'L'].map((value) => ({
      sku: `${id.slice(0, 8)}-${value}`,
      price,
      currency: 'EUR',
      weightGrams: 100,
      optionValues: [{ option: 'Size', value }],
      inventory: [{ available: random.below(100), onHand: 100, reserved: 0 }],
    })),
    media: [1, 2].map((position) => ({
      altText: `View ${random.below(1000)}`,
      contentType: 'image/png',
      position,
      sizeBytes: 100,
      storageKey: `${id}/${position}`,
      url: `https://cdn.example/${id}/${position}.png`,
    })),
  };
};

export const install = async (node: Node, { storeId, domain }: Pick<Shop, 'storeId' | 'domain'>): Promise<App> => {
  const made = await must<{ installation: { id: string }; clientId: string; clientSecret: string }>(
    node,
    asMerchant('POST', `/stores/${storeId}/apps`, { name: 'App', scopes: SCOPES }),
  );
  const { accessToken } = await must<{ accessToken: string }>(node, asClient(domain, made));
  return {
    installationId: made.installation.id,
    headers: { host: domain, authorization: `Bearer ${accessToken}` },
    removalSentAt: Infinity,
    removedAt: Infinity,
  };
};

export const category = (shop: Pick<Shop, 'storeId'>, id: string, name: string) =>
  asMerchant('PUT', `/stores/${shop.storeId}/categories/${id}`, { name });

export const taxClass = (shop: Pick<Shop, 'storeId'>, id: string, name: string) =>
  asMerchant('PUT', `/stores/${shop.storeId}/tax-classes/${id}`, { name, code: id });

export const collection = (shop: Pick<Shop, 'storeId'>, id: string, productIds: readonly string[]) =>
  asMerchant('PUT', `/stores/${shop.storeId}/collections/${id}`, { title: 'A collection', productIds });

/** Every id of a shop, and the place of a product in its list, is the same in a shop that is made like it. */
export const openShop = async (node: Node, random: Random, number: number, like?: Shop): Promise<Shop> => {
  const domain = `shop-${number}.example`;
  const { id: storeId } = await must<{ id: string }>(node, asMerchant('POST', '/stores', { domain }));
  const { categoryIds, taxClassIds, collectionIds, productIds } = like ?? {
    categoryIds: ids(4),
    taxClassIds: ids(2),
    collectionIds: ids(2),
    productIds: ids(PRODUCTS),
  };
  const parts = { storeId, domain, categoryIds, taxClassIds, collectionIds, productIds };
  for (const id of parts.categoryIds) await must(node, category(parts, id, textOf(parts, `Category ${id.slice(0, 4)}`)));
  for (const id of parts.taxClassIds) await must(node, taxClass(parts, id, textOf(parts, 'Standard')));
  const lines = parts.productIds.map((id) => JSON.stringify(documentOf(random, parts, id))).join('\n');
  const imported = await must<{ created: number }>(node, asMerchant('POST', `/stores/${storeId}/products/import`, lines));
  if (imported.created !== PRODUCTS) throw new Error(`the import made ${imported.created} of ${PRODUCTS} products`);
  for (const id of parts.collectionIds) await must(node, collection(parts, id, parts.productIds.slice(0, 60)));
  return { ...parts, app: await install(node, parts), shortLivedApps: [], deleted: new Set() };
};
