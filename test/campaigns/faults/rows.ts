import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import {
  isCopy,
  type DeliveryRow,
  type EventRow,
  type ImportRow,
  type MediaRow,
  type ProductRow,
  type Rows,
  type StockRow,
  type StoredFile,
  type TotalRow,
} from './history.ts';
import { query } from './query.ts';
import type { World } from './world.ts';
import { send } from './workload/client.ts';
import type { Shop } from './workload/shop.ts';

// Rows of one store, which each table names: otherwise a Citus cluster refuses a join of tables.
const EVENTS = `SELECT e.id, e.store_id AS "storeId", e.type, e.resource_id AS "resourceId", e.body, f.position::float AS position,
  e.origin_installation_id AS origin, extract(epoch FROM e.created_at)::float * 1000 AS "createdAt"
  FROM events e LEFT JOIN feed f ON f.store_id = $1 AND f.event_id = e.id WHERE e.store_id = $1`;

const DELIVERIES = 'SELECT subscription_id AS "subscriptionId", event_id AS "eventId" FROM deliveries WHERE store_id = $1';

// Live variants and media only; the thumbnail is the first media by position, then order (src/domain/catalogue/list-figures.ts), counted again here.
const PRODUCTS = `
  SELECT p.id, p.store_id AS "storeId", p.slug, p.meta_title AS "metaTitle", p.deleted_at IS NOT NULL AS "isDeleted",
    json_build_object('minPrice', p.min_price, 'maxPrice', p.max_price, 'variantCount', p.variant_count,
      'totalInventory', p.total_inventory, 'currency', p.currency, 'thumbnailUrl', p.thumbnail_url) AS kept,
    json_build_object('minPrice', v.least, 'maxPrice', v.most, 'variantCount', v.n, 'totalInventory', v.stock, 'currency', v.currency,
      'thumbnailUrl', (SELECT url FROM media m WHERE m.store_id = $1 AND m.product_id = p.id AND m.deleted_at IS NULL
        ORDER BY m.position, m.ordinal LIMIT 1)) AS counted
  FROM products p CROSS JOIN LATERAL (
    SELECT min(x.price) AS least, max(x.price) AS most, count(*)::int AS n, (array_agg(x.currency ORDER BY x.ordinal))[1] AS currency,
      coalesce(sum((SELECT sum(i.available) FROM inventory i
        WHERE i.store_id = $1 AND i.product_variant_id = x.id AND i.deleted_at IS NULL)), 0)::int AS stock
    FROM variants x WHERE x.store_id = $1 AND x.product_id = p.id AND x.deleted_at IS NULL
  ) v WHERE p.store_id = $1`;

const STOCKS = `SELECT v.store_id AS "storeId", v.sku, sum(i.available)::int AS available
  FROM variants v JOIN inventory i ON i.store_id = $1 AND i.product_variant_id = v.id AND i.deleted_at IS NULL
  WHERE v.store_id = $1 AND v.deleted_at IS NULL GROUP BY 1, 2`;

const KEPT_TOTALS = `SELECT 'stores.product_count of ' || s.id AS name, s.product_count AS shown,
  (SELECT count(*) FROM products p WHERE p.store_id = $1 AND p.deleted_at IS NULL)::int AS counted FROM stores s WHERE s.id = $1`;

const IMPORTS = `SELECT m.id, m.store_id AS "storeId", m.status, (SELECT json_agg(json_build_object('sourceUrl', t.source_url,
    'productId', t.product_id, 'mediaId', t.media_id, 'status', t.status, 'errorCode', t.error_code, 'error', t.error) ORDER BY t.index)
  FROM media_import_items t WHERE t.store_id = $1 AND t.import_id = m.id) AS items FROM media_imports m WHERE m.store_id = $1`;

const INSTALLATIONS = `SELECT id, extract(epoch FROM created_at)::float * 1000 AS at, uninstalled_at IS NULL AS "isInstalled"
  FROM installations WHERE store_id = $1`;

/** Media that imports made: others have keys of their merchant's. */
const MEDIA = `SELECT id, product_id AS "productId", storage_key AS "storageKey" FROM media
  WHERE store_id = $1 AND storage_key ~ '/[0-9a-f]{64}[.]'`;

const DRAFT = /^drafts\/(?<store>[^.]+)\.(?<file>[0-9a-f]{64}\.\w+)\./;

/** Null when the file is gone: an import may still remove its drafts. */
const sha256Of = async (path: string): Promise<string | null> => {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Files of the media directory, drafts under the key that they are to have. */
const readStored = async (folder: string): Promise<StoredFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const stored = await Promise.all(
    files.map(async (path) => {
      const name = relative(folder, path);
      const draft = DRAFT.exec(name)?.groups;
      const key = draft ? `${draft['store'] ?? ''}/${draft['file'] ?? ''}` : name;
      const sha256 = await sha256Of(path);
      return sha256 === null ? [] : [{ key, isDraft: draft !== undefined, sha256 }];
    }),
  );
  return stored.flat();
};

/** Asks an API process for the list's total of each shop. */
const toldTotals = async (world: World, shops: readonly Shop[], products: readonly ProductRow[]): Promise<TotalRow[]> => {
  const totals: TotalRow[] = [];
  for (const { storeId, apps } of shops) {
    const counted = products.filter((product) => product.storeId === storeId && !product.isDeleted).length;
    for (const node of world.fleet.apis()) {
      const headers = apps[0]?.headers ?? {};
      const { answer } = await send(node, { method: 'GET', path: '/apps/catalog/products?take=1', headers });
      const shown = answer?.status === 200 ? (JSON.parse(answer.body) as { total: number }).total : NaN;
      totals.push({ name: `total of the list of ${storeId}`, shown, counted });
    }
  }
  return totals;
};

/** The products of each store with a copy, as an API process answers with them. */
const shownProducts = async ({ fleet, history }: World, shops: readonly Shop[], products: readonly ProductRow[]) => {
  const copied = new Set(history.subscriptions.filter(isCopy).map(({ storeId }) => storeId));
  const [node] = fleet.apis();
  const shown = new Map<string, object>();
  if (!node) return shown;
  for (const { id, storeId, isDeleted } of products) {
    if (isDeleted || !copied.has(storeId)) continue;
    const headers = shops.find((shop) => shop.storeId === storeId)?.apps[0]?.headers ?? {};
    const { answer } = await send(node, { method: 'GET', path: `/apps/catalog/products/${id}`, headers });
    if (answer?.status === 200) shown.set(id, JSON.parse(answer.body) as object);
  }
  return shown;
};

/** Answers to each app that asks for a token after its uninstallation was answered. */
const readSignIns = async ({ fleet, history }: World): Promise<Map<string, number>> => {
  const [node] = fleet.apis();
  const statuses = new Map<string, number>();
  if (!node) return statuses;
  for (const { installationId, signIn } of history.uninstalls)
    statuses.set(installationId, (await send(node, signIn)).answer?.status ?? 0);
  return statuses;
};

/** Imports that have not ended. */
export const openImports = async (databaseUrl: string): Promise<number> =>
  (await query(databaseUrl, 'SELECT FROM media_imports WHERE ended_at IS NULL')).length;

/** Events that wait for their place in the feed. */
export const pendingEvents = async (databaseUrl: string): Promise<number> =>
  (await query(databaseUrl, 'SELECT FROM pending_events')).length;

/** The rows of all stores, read store by store. */
const ofStores = async <Row extends object>(databaseUrl: string, text: string): Promise<Row[]> => {
  const stores = await query<{ id: string }>(databaseUrl, 'SELECT id FROM stores');
  const rows: Row[] = [];
  for (const { id } of stores) rows.push(...(await query<Row>(databaseUrl, text, [id])));
  return rows;
};

export const readEvents = (databaseUrl: string): Promise<EventRow[]> => ofStores<EventRow>(databaseUrl, EVENTS);

/** Reads the stored rows, and the lists over them. */
export const readRows = async (world: World, databaseUrl: string, shops: readonly Shop[]): Promise<Rows> => {
  const read = <Row extends object>(text: string): Promise<Row[]> => ofStores<Row>(databaseUrl, text);
  const products = await read<ProductRow>(PRODUCTS);
  const installations = await read<{ id: string; at: number; isInstalled: boolean }>(INSTALLATIONS);
  return {
    events: await readEvents(databaseUrl),
    installedAt: new Map(installations.map(({ id, at }) => [id, at])),
    installed: new Set(installations.flatMap(({ id, isInstalled }) => (isInstalled ? [id] : []))),
    signIns: await readSignIns(world),
    deliveries: await read<DeliveryRow>(DELIVERIES),
    products,
    shown: await shownProducts(world, shops, products),
    imports: await read<ImportRow>(IMPORTS),
    media: await read<MediaRow>(MEDIA),
    known: (await query<{ key: string }>(databaseUrl, 'SELECT key FROM media_files')).map(({ key }) => key),
    stored: await readStored(join(world.dataFolder, 'media')),
    stocks: await read<StockRow>(STOCKS),
    totals: [...(await read<TotalRow>(KEPT_TOTALS)), ...(await toldTotals(world, shops, products))],
  };
};
