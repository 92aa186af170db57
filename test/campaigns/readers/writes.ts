import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { now } from '../faults/history.ts';
import type { Random } from '../faults/random.ts';
import { asMerchant } from '../kit/merchant.ts';
import { must, type Node } from './client.ts';
import { STATUSES } from './pages.ts';
import type { StoreRecord } from './record.ts';
import type { Changed } from './reference.ts';
import { category, collection, documentOf, install, taxClass, textOf, type Shop } from './shop.ts';

/** Dependencies of a write. */
export interface Desk {
  readonly random: Random;
  readonly record: StoreRecord;
  readonly node: Node;
  /** An address that has an image of its own. */
  readonly imageUrl: () => string;
}

type Write = (desk: Desk) => Promise<void>;
/** Dependencies of a write of one product. */
type ProductDesk = Pick<Desk, 'random' | 'record' | 'node'>;

/** Products at the beginning are written and read most. */
export const anyProduct = (random: Random, { productIds }: Shop): string =>
  productIds[Math.floor(random.next() ** 3 * productIds.length)] ?? '';

const living = (random: Random, shop: Shop): string => {
  for (;;) {
    const id = anyProduct(random, shop);
    if (!shop.deleted.has(id)) return id;
  }
};

const byId = (...ids: string[]): Changed => ({ by: 'id', ids });

const bulk: Write = async ({ random, record, node }) => {
  const { shop } = record;
  const ids = [...new Set(Array.from({ length: 1 + random.below(5) }, () => living(random, shop)))];
  const products = ids.map((id) => ({
    id,
    metaTitle: `Title ${random.below(1e6)}`,
    ...(random.chance(0.5) && { name: textOf(shop, `Renamed ${random.below(1e6)}`) }),
    ...(random.chance(0.3) && { status: random.pick(STATUSES) }),
    ...(random.chance(0.3) && { categoryId: random.pick(shop.categoryIds) }),
  }));
  const headers = { ...shop.app.headers, 'idempotency-key': randomUUID() };
  await record.write(byId(...ids), async () => {
    const ask = { method: 'POST', path: '/apps/catalog/products/bulk', headers, body: { products } } as const;
    const { failed } = await must<{ failed: number }>(node, ask);
    if (failed > 0) throw new Error(`a bulk update failed for ${failed} products`);
  });
};

export const putProduct = ({ random, record, node }: ProductDesk, id: string): Promise<void> => {
  const { shop } = record;
  const ask = asMerchant('PUT', `/stores/${shop.storeId}/products/${id}`, documentOf(random, shop, id));
  return record.write(byId(id), () => must(node, ask));
};

const nestedRows: Write = (desk) => putProduct(desk, living(desk.random, desk.record.shop));

/** Deletes a product, or creates one again that was deleted. */
const deletion: Write = async (desk) => {
  const { random, record, node } = desk;
  const { storeId, deleted } = record.shop;
  const [gone] = deleted;
  if (gone !== undefined && deleted.size > random.below(4)) {
    await putProduct(desk, gone);
    deleted.delete(gone);
    return;
  }
  const id = living(random, record.shop);
  deleted.add(id);
  await record.write(byId(id), () => must(node, asMerchant('DELETE', `/stores/${storeId}/products/${id}`)));
};

const renamedCategory: Write = async ({ random, record, node }) => {
  const id = random.pick(record.shop.categoryIds);
  const ask = category(record.shop, id, textOf(record.shop, `Category ${random.below(1e6)}`));
  await record.write({ by: 'category_id', ids: [id] }, () => must(node, ask));
};

const renamedTaxClass: Write = async ({ random, record, node }) => {
  const id = random.pick(record.shop.taxClassIds);
  const ask = taxClass(record.shop, id, textOf(record.shop, `Rate ${random.below(1e6)}`));
  await record.write({ by: 'tax_class_id', ids: [id] }, () => must(node, ask));
};

const putCollection: Write = async ({ random, record, node }) => {
  const { shop } = record;
  const products = random.shuffled(shop.productIds.filter((id) => !shop.deleted.has(id))).slice(0, 20 + random.below(60));
  const ask = collection(shop, random.pick(shop.collectionIds), products);
  await record.write(byId(), () => must(node, ask));
};

const IMPORT_MS = 60_000;

/** The image joins its product in the background, some time before the import has ended. */
const mediaImport: Write = async ({ random, record, node, imageUrl }) => {
  const { headers } = record.shop.app;
  const productId = living(random, record.shop);
  await record.write(byId(productId), async () => {
    const body = { items: [{ sourceUrl: imageUrl(), productId }] };
    const keyed = { ...headers, 'idempotency-key': randomUUID() };
    const path = '/apps/media/imports';
    const { importId } = await must<{ importId: string }>(node, { method: 'POST', path, headers: keyed, body });
    const end = now() + IMPORT_MS;
    for (;;) {
      const { status } = await must<{ status: string }>(node, { path: `${path}/${importId}`, headers });
      if (status === 'Completed') return;
      if (now() > end || status === 'Failed') throw new Error(`the import of an image is ${status}`);
      await pause(10);
    }
  });
};

/** Writes by their kind, with how often each comes among the others. */
export const WRITES: Readonly<Record<string, readonly [weight: number, write: Write]>> = {
  'bulk update': [8, bulk],
  'product put with nested rows': [5, nestedRows],
  'product deleted or created again': [3, deletion],
  'image imported': [2, mediaImport],
  'category renamed': [3, renamedCategory],
  'tax class renamed': [2, renamedTaxClass],
  'collection put': [3, putCollection],
};

export const UNINSTALLED = 'app uninstalled and installed again';

const SHORT_LIVED = 2;

/** Beside the other writes, since it changes no page: the last app goes, and another one comes. */
export const replaceShortLivedApp = async (node: Node, shop: Shop): Promise<void> => {
  const last = shop.shortLivedApps.at(-1);
  if (last) {
    last.removalSentAt = now();
    await must(node, asMerchant('POST', `/apps/${last.installationId}/uninstall`));
    last.removedAt = now();
  }
  shop.shortLivedApps.push(await install(node, shop));
  if (shop.shortLivedApps.length > SHORT_LIVED) shop.shortLivedApps.shift();
};
