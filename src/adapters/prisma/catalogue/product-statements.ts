import type { Product } from '../../../domain/catalogue/product.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { PRODUCT_DOCUMENT } from './product-document.ts';

const ONE = { storeId: 'uuid', id: 'uuid' } as const;
const MANY = { storeId: 'uuid', ids: 'uuid[]' } as const;

export const LOCK_PRODUCT = statement({
  text: 'SELECT FROM products WHERE store_id = $storeId AND id = ANY ($ids) ORDER BY id FOR UPDATE',
  parameters: MANY,
});

export const DOCUMENTS = statement({
  text: `
    SELECT row_to_json(d) AS product FROM (
      SELECT ${PRODUCT_DOCUMENT} FROM products p WHERE p.store_id = $storeId AND p.id = ANY ($ids) ORDER BY p.id) d`,
  parameters: MANY,
  row: { product: json<Product>('json') },
});

/** A join would read the whole store for each batch of a file where the tables have no statistics yet. */
export const VARIANTS_OF = statement({
  text: `
    SELECT product_id AS "productId", id, sku FROM variants
    WHERE store_id = $storeId AND product_id = ANY ($ids) AND deleted_at IS NULL AND product_id <> ALL (ARRAY (
      SELECT p.id FROM products p WHERE p.store_id = $storeId AND p.id = ANY ($ids) AND p.deleted_at IS NOT NULL))`,
  parameters: MANY,
  row: { productId: 'uuid', id: 'uuid', sku: 'text' },
});

export const ADD_MEDIA = statement({
  text: `
    INSERT INTO media (store_id, id, product_id, ordinal, product_variant_id, asset_id, ai_generated, alt_text, content_type, position,
      size_bytes, storage_key, url, created_at)
    VALUES ($storeId, $id, $productId, $ordinal, $productVariantId, $assetId, $aiGenerated, $altText, $contentType, $position,
      $sizeBytes, $storageKey, $url, $createdAt)`,
  parameters: {
    ...ONE,
    productId: 'uuid',
    ordinal: 'int4',
    productVariantId: 'uuid?',
    assetId: 'uuid?',
    aiGenerated: 'bool',
    altText: 'text?',
    contentType: 'text',
    position: 'int4',
    sizeBytes: 'int8',
    storageKey: 'text',
    url: 'text',
    createdAt: 'timestamptz',
  },
});

export const SHOW_MEDIA = statement({
  text: `
    UPDATE products SET updated_at = $at, thumbnail_url = $thumbnailUrl, thumbnail_alt = $thumbnailAlt
    WHERE store_id = $storeId AND id = $id`,
  parameters: { ...ONE, at: 'timestamptz', thumbnailUrl: 'text?', thumbnailAlt: 'text?' },
});

export const REMOVE = statement({
  text: `
    UPDATE products SET deleted_at = $now::timestamptz, slug = NULL WHERE store_id = $storeId AND id = $id AND deleted_at IS NULL
    RETURNING created_at AS "createdAt"`,
  parameters: { ...ONE, now: 'timestamptz' },
  row: { createdAt: 'timestamptz' },
});

export const REMOVE_FROM_LISTS = statement({
  text: `
    WITH gone AS (DELETE FROM collection_products WHERE store_id = $storeId AND product_id = $id RETURNING collection_id),
    unsearched AS (DELETE FROM product_search WHERE store_id = $storeId AND product_id = $id)
    UPDATE collections SET product_count = product_count - 1
    WHERE store_id = $storeId AND id = ANY (ARRAY(SELECT collection_id FROM gone))`,
  parameters: ONE,
});
