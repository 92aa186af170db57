import { statement } from '../connection/statement.ts';
import { ID, IDS, IMPORT, IS_OPEN, IMPORT_OWNER, READ_MEDIA_IMPORT } from './media-import-fields.ts';

export const FIND_MEDIA_IMPORT = statement({ text: `${READ_MEDIA_IMPORT} AND m.id = $id`, parameters: ID, row: IMPORT });

export const FIND_MANY = statement({
  text: `${READ_MEDIA_IMPORT} AND m.id = ANY ($ids) ORDER BY m.id`,
  parameters: IDS,
  row: IMPORT,
});

export const CREATE_MEDIA_IMPORT = statement({
  text: `
  INSERT INTO media_imports (id, store_id, installation_id, request_id, traceparent, created_at)
  VALUES ($id, $storeId, $installationId, $requestId, $traceparent, clock_timestamp())`,
  parameters: { ...ID, ...IMPORT_OWNER, requestId: 'uuid?', traceparent: 'text?' },
});

export const CREATE_ITEMS = statement({
  text: `
  INSERT INTO media_import_items (store_id, import_id, index, media_id, source_url, product_id, product_variant_id, alt_text, position, ai_generated)
  SELECT m.store_id, m.id, t.n - 1, t.media_id, t.source_url, t.product_id, t.variant_id, t.alt_text, t.position, t.ai_generated
  FROM media_imports m CROSS JOIN unnest($mediaIds::uuid[], $sourceUrls::text[], $productIds::uuid[], $variantIds::uuid[], $altTexts::text[], $positions::int[], $aiGenerated::bool[])
    WITH ORDINALITY AS t(media_id, source_url, product_id, variant_id, alt_text, position, ai_generated, n)
  WHERE m.store_id = $storeId AND m.id = $id`,
  parameters: {
    ...ID,
    mediaIds: 'uuid[]',
    sourceUrls: 'text[]',
    productIds: 'uuid[]',
    variantIds: 'uuid?[]',
    altTexts: 'text?[]',
    positions: 'int4?[]',
    aiGenerated: 'bool[]',
  },
});

export const LOCK_OPEN = statement({
  text: 'SELECT FROM media_imports WHERE store_id = $storeId AND id = $id AND ended_at IS NULL FOR UPDATE',
  parameters: ID,
});

export const SETTLE_ITEM = statement({
  text: `
    UPDATE media_import_items SET status = $status, error_code = $errorCode, error = $error, retry_at = NULL, retry_reason = NULL
    WHERE store_id = $storeId AND import_id = $id AND index = $index`,
  parameters: { ...ID, index: 'int2', status: 'text', errorCode: 'text?', error: 'text?' },
});

export const SETTLE_MEDIA_IMPORT = statement({
  text: `
    UPDATE media_imports SET status = $status WHERE store_id = $storeId AND id = $id`,
  parameters: { ...ID, status: 'text' },
});

export const LOCK_ALL = statement({
  text: `
    SELECT id FROM media_imports WHERE store_id = $storeId AND installation_id = $installationId AND ended_at IS NULL
    ORDER BY id FOR UPDATE`,
  parameters: IMPORT_OWNER,
  row: { id: 'uuid' },
});

export const END_ITEMS = statement({
  text: `
    UPDATE media_import_items t SET status = $status, error_code = $errorCode, error = $error, retry_at = NULL, retry_reason = NULL
    WHERE t.store_id = $storeId AND t.import_id = ANY ($ids) AND ${IS_OPEN}`,
  parameters: { ...IDS, status: 'text', errorCode: 'text', error: 'text' },
});

export const END_MEDIA_IMPORT = statement({
  text: `UPDATE media_imports SET status = $status, ended_at = statement_timestamp() WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: { ...IDS, status: 'text' },
});
