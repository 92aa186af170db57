/**
 * The tables that grow with the catalogue or with the traffic. What a migration does to all rows of one
 * of them takes long.
 */
export const MAY_BE_BIG: ReadonlySet<string> = new Set([
  ...['access_tokens', 'bundle_components', 'bundle_variants', 'collection_products', 'deliveries', 'delivery_attempts'],
  ...[
    'call_figures',
    'delivery_figures',
    'delivery_queue',
    'digital_assets',
    'events',
    'feed',
    'idempotency_records',
    'idempotency_uses',
  ],
  ...['inventory', 'list_moves', 'media', 'media_files', 'media_import_items', 'merchant_keys', 'metaobject_entries'],
  ...[
    'pending_events',
    'personalization_fields',
    'product_categories',
    'product_option_values',
    'product_options',
    'product_search',
    'products',
  ],
  ...['refusal_figures', 'request_log', 'slug_history', 'specifications', 'variant_option_values', 'variants'],
]);
