const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', ${ISO})`;

/** Columns of the list for the product `p` with its category `c`. */
const ITEM = `p.id, p.name, p.slug, p.status, p.kind, p.category_id AS "categoryId", c.name AS "categoryName", p.currency,
    p.min_price AS "minPrice", p.max_price AS "maxPrice", p.tags, p.thumbnail_url AS "thumbnailUrl", p.thumbnail_alt AS "thumbnailAlt",
    p.total_inventory AS "totalInventory", p.variant_count AS "variantCount", ${iso('coalesce(p.updated_at, p.created_at)')} AS "updatedAt"`;

const WITH_CATEGORY = 'LEFT JOIN categories c ON c.store_id = p.store_id AND c.id = p.category_id';
const PAGE = 'WHERE p.store_id = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, p.id OFFSET $2 LIMIT $3';

export const LIST = `SELECT '[' || string_agg(row_to_json(i)::text, ',') || ']' AS text FROM (
  SELECT ${ITEM} FROM products p ${WITH_CATEGORY} ${PAGE}) i`;

/** The ids and versions of a page. */
export const VERSIONS = `SELECT string_agg(concat(id, version), ',') AS entries FROM (
  SELECT p.id, concat(p.revision, c.revision) AS version FROM products p ${WITH_CATEGORY} ${PAGE}) i`;

export const ITEMS = `SELECT p.id, concat(p.revision, c.revision) AS version, (SELECT row_to_json(i)::text FROM (SELECT ${ITEM}) i) AS text
  FROM products p ${WITH_CATEGORY} WHERE p.store_id = $1 AND p.id = ANY ($2)`;

export const COLLECTION = `SELECT c.product_count AS total, (
    SELECT json_agg(product_id)::text FROM (
      SELECT product_id FROM collection_products WHERE store_id = $1 AND collection_id = $2 ORDER BY position, product_id OFFSET $3 LIMIT $4) m
  ) AS ids FROM collections c WHERE c.store_id = $1 AND c.id = $2`;

const RECORD = (row: string): string =>
  `${row}.store_id AS "tenantId", ${row}.deleted_at IS NOT NULL AS "isDeleted", ${row}.id, ${iso(`${row}.created_at`)} AS "createdAt",
   ${iso(`${row}.updated_at`)} AS "updatedAt", ${iso(`${row}.deleted_at`)} AS "deletedAt"`;

const listOf = (name: string, table: string, parent: string, key: string, fields: string): string =>
  `coalesce((SELECT json_agg(e) FROM (SELECT ${RECORD(table)}, ${fields} FROM ${table}
     WHERE ${table}.store_id = $1 AND ${table}.${key} = ${parent}.id ORDER BY ${table}.ordinal) e), '[]') AS "${name}"`;

const oneOf = (name: string, table: string, id: string, fields: string): string =>
  `(SELECT row_to_json(o) FROM (SELECT ${RECORD(table)}, ${fields} FROM ${table} WHERE store_id = $1 AND id = p.${id}) o) AS "${name}"`;

export const DETAIL = `SELECT row_to_json(d)::text AS text FROM (SELECT ${RECORD('p')},
  p.name, p.slug, p.description, p.meta_title AS "metaTitle", p.meta_description AS "metaDescription", p.kind, p.status,
  p.group_key AS "groupKey", p.position, ${iso('p.published_at')} AS "publishedAt", p.purchase_count AS "purchaseCount",
  p.rating_average AS "ratingAverage", p.rating_count AS "ratingCount", p.refundable, p.return_window_days AS "returnWindowDays",
  p.size_guide_html AS "sizeGuideHtml", p.tags, p.category_id AS "categoryId", p.tax_class_id AS "taxClassId",
  p.countdown_discount_percent AS "countdownDiscountPercent", ${iso('p.countdown_starts_at')} AS "countdownStartsAt",
  ${iso('p.countdown_ends_at')} AS "countdownEndsAt", p.download_limit AS "downloadLimit", p.download_expiry_days AS "downloadExpiryDays",
  p.content_blocks AS "contentBlocks", p.translations,
  ${oneOf('category', 'categories', 'category_id', 'name, slug, parent_id AS "parentId", position')},
  ${oneOf('taxClass', 'tax_classes', 'tax_class_id', 'name, code, is_default AS "isDefault"')},
  ${listOf(
    'options',
    'product_options',
    'p',
    'product_id',
    `product_id AS "productId", name, position, translations, ${listOf(
      'values',
      'product_option_values',
      'product_options',
      'product_option_id',
      'product_option_id AS "productOptionId", position, swatch_hex AS "swatchHex", swatch_image_key AS "swatchImageKey", translations, value',
    )}`,
  )},
  ${listOf(
    'variants',
    'variants',
    'p',
    'product_id',
    `product_id AS "productId", sku, currency, price, compare_at_price AS "compareAtPrice", is_on_sale AS "isOnSale", barcode,
     weight_grams AS "weightGrams", has_dimensions AS "hasDimensions", length_mm AS "lengthMm", width_mm AS "widthMm", height_mm AS "heightMm",
     ${listOf(
       'optionValues',
       'variant_option_values',
       'variants',
       'product_variant_id',
       'product_variant_id AS "productVariantId", product_option_value_id AS "productOptionValueId"',
     )},
     ${listOf(
       'inventory',
       'inventory',
       'variants',
       'product_variant_id',
       `product_variant_id AS "productVariantId", available, on_hand AS "onHand", reserved, concurrency_stamp AS "concurrencyStamp",
        warehouse_id AS "warehouseId"`,
     )}`,
  )},
  ${listOf(
    'media',
    'media',
    'p',
    'product_id',
    `product_id AS "productId", ai_generated AS "aiGenerated", alt_text AS "altText", asset_id AS "assetId", content_type AS "contentType",
     position, product_variant_id AS "productVariantId", size_bytes AS "sizeBytes", storage_key AS "storageKey", url`,
  )},
  ${listOf(
    'bundleComponents',
    'bundle_components',
    'p',
    'product_id',
    `product_id AS "productId", component_product_id AS "componentProductId", position,
     ${listOf('allowedVariants', 'bundle_variants', 'bundle_components', 'product_bundle_component_id', 'product_bundle_component_id AS "productBundleComponentId", product_variant_id AS "productVariantId"')}`,
  )},
  ${listOf(
    'digitalAssets',
    'digital_assets',
    'p',
    'product_id',
    'product_id AS "productId", content_type AS "contentType", file_name AS "fileName", size_bytes AS "sizeBytes", storage_key AS "storageKey"',
  )},
  ${listOf(
    'personalizationFields',
    'personalization_fields',
    'p',
    'product_id',
    `product_id AS "productId", key, label, help_text AS "helpText", placeholder, max_length AS "maxLength", min_value AS "minValue",
     max_value AS "maxValue", position, required, surcharge, type, options, translations`,
  )},
  ${listOf('productCategories', 'product_categories', 'p', 'product_id', 'product_id AS "productId", category_id AS "categoryId"')},
  ${listOf('specifications', 'specifications', 'p', 'product_id', 'product_id AS "productId", name, value, position, translations')}
  FROM products p WHERE p.store_id = $1 AND p.id = $2 AND p.deleted_at IS NULL) d`;

const DETAIL_VERSION = 'concat(p.revision, c.revision, x.revision)';
const WITH_TAX_CLASS = 'LEFT JOIN tax_classes x ON x.store_id = p.store_id AND x.id = p.tax_class_id';

/** The document of `DETAIL` with its version. */
export const VERSIONED_DETAIL = `SELECT (SELECT ${DETAIL_VERSION} FROM products p ${WITH_CATEGORY} ${WITH_TAX_CLASS}
  WHERE p.store_id = $1 AND p.id = $2) AS version, (${DETAIL}) AS text`;

/** Checks the token, and reads the version of the product. */
export const TOKEN_AND_VERSION = `SELECT i.store_id AS "storeId", ${DETAIL_VERSION} AS version
  FROM stores s JOIN access_tokens t ON t.store_id = s.id JOIN installations i ON i.store_id = s.id AND i.id = t.installation_id
  LEFT JOIN products p ON p.store_id = i.store_id AND p.id = $3 AND p.deleted_at IS NULL ${WITH_CATEGORY} ${WITH_TAX_CLASS}
  WHERE t.hash = $1 AND t.expires_at > now() AND i.status = 'Installed' AND s.status = 'Active' AND s.domain = $2`;
