/** Ways to find the rows of a store in a table. */
type Scope = 'store' | 'storeId' | 'file' | 'shared' | 'none';

const SCOPES: Readonly<Record<Scope, (storeId: string) => string>> = {
  store: (id) => `id = '${id}'`,
  storeId: (id) => `store_id = '${id}'`,
  // A file is removed by its key when nothing refers to its row any more.
  file: (id) => `store_id = '${id}' AND starts_with(key, '${id}/')`,
  shared: () => 'true',
  none: () => 'false',
};

/**
 * The tables of a backup, in the order in which foreign keys allow to write them, with the scope of
 * a store's rows. test/contract/archive.test.ts fails for a table that is neither here nor in
 * LEFT_OUT.
 */
export const BACKED_UP: Readonly<Record<string, Scope>> = {
  stores: 'store',
  store_erasures: 'storeId',
  installations: 'storeId',
  client_secrets: 'storeId',
  signing_secrets: 'storeId',
  retired_peppers: 'shared',
  // Tables of the whole server: no export of a store has them.
  operators: 'none',
  platform_apps: 'none',
  platform_client_secrets: 'none',
  platform_signing_secrets: 'none',
  categories: 'storeId',
  tax_classes: 'storeId',
  products: 'storeId',
  slug_history: 'storeId',
  list_moves: 'storeId',
  product_search: 'storeId',
  bundle_components: 'storeId',
  bundle_variants: 'storeId',
  digital_assets: 'storeId',
  variants: 'storeId',
  media: 'storeId',
  product_options: 'storeId',
  product_option_values: 'storeId',
  variant_option_values: 'storeId',
  personalization_fields: 'storeId',
  product_categories: 'storeId',
  specifications: 'storeId',
  inventory: 'storeId',
  warehouses: 'storeId',
  collections: 'storeId',
  collection_products: 'storeId',
  product_imports: 'storeId',
  metaobject_definitions: 'storeId',
  metaobject_entries: 'storeId',
  subscriptions: 'storeId',
  idempotency_records: 'storeId',
  idempotency_uses: 'storeId',
  merchant_keys: 'storeId',
  events: 'storeId',
  pending_events: 'storeId',
  feed: 'storeId',
  feed_heads: 'storeId',
  feed_epochs: 'storeId',
  deliveries: 'storeId',
  delivery_queue: 'storeId',
  gathered_events: 'storeId',
  delivery_endings: 'storeId',
  delivery_attempts: 'storeId',
  redeliveries: 'storeId',
  media_imports: 'storeId',
  media_import_items: 'storeId',
  media_files: 'file',
  request_log: 'storeId',
  audit_log: 'storeId',
  audit_heads: 'storeId',
  delivery_figures: 'storeId',
  refusal_figures: 'storeId',
  call_figures: 'storeId',
  incidents: 'storeId',
};

/** The tables whose rows no backup brings back, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  _prisma_migrations: 'The manifest has the migrations. A restore applies them.',
  epochs: 'They are of the server, and a restore begins one.',
  schema_generation: 'The migrations set it. The last backup is of the server that made it.',
  processes: 'They are of the processes that run.',
  store_domains: 'A restore fills it from the stores, an import with its own.',
  access_tokens: 'A token that was revoked after the backup must stay revoked. An app requests a new one.',
  console_sessions: 'A person signs in again.',
  operator_tokens: 'A token that was revoked after the backup must stay revoked. An owner issues a new one.',
  sign_in_methods:
    'A passkey that was removed after the backup must stay removed. An operator signs in by a link, and adds it again.',
  app_console_sessions: 'A person signs in again.',
  developer_sessions: 'A person signs in again.',
  audit_refusals: 'They are of one hour. The audit log has what was refused.',
  incident_notices: 'They were sent, or are out of date.',
  install_requests: 'Those that were decided end within ten minutes.',
};

/** Tables of a store's rows that its export leaves out. */
export const LEFT_OUT_OF_STORES = ['access_tokens', 'app_console_sessions', 'incident_notices', 'install_requests'] as const;

/**
 * The columns that name a row of another table by an id that is unique on the whole server, and so
 * could name a row of another store. test/long/foreign-archives.test.ts fails for a column of ids
 * that is in none of these lists.
 */
export const NAMES_A_ROW_OF: Readonly<Record<string, string>> = {
  installation_id: 'installations',
  origin_installation_id: 'installations',
  subscription_id: 'subscriptions',
  delivery_id: 'deliveries',
  reached: 'deliveries',
  reached_id: 'deliveries',
  import_id: 'media_imports',
};

/** The tables whose rows are found by an id alone (domain/ports/locator.ts), with its column. No key keeps two stores from having the same. */
export const FOUND_BY_ID: Readonly<Record<string, string>> = {
  installations: 'id',
  subscriptions: 'id',
  deliveries: 'id',
  redeliveries: 'id',
  media_imports: 'id',
  request_log: 'request_id',
};

/**
 * Tables that have rows on a server that nobody uses yet: requests for hosts that no store has, and
 * what the server itself lacked.
 */
export const MAY_HAVE_ROWS: ReadonlySet<string> = new Set(['request_log', 'incidents']);

/**
 * The columns whose numbers the server draws. An import draws new ones, in the order of the old ones. It sets no sequence: nodes draw
 * from it meanwhile, and would be given again what they drew between a look at it and the change.
 */
export const DRAWN: Readonly<Record<string, string>> = { pending_events: 'seq' };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Tables with rows that two servers may have alike. An import adds the missing ones. */
export const SHARED: readonly string[] = Object.keys(BACKED_UP).filter((table) => BACKED_UP[table] === 'shared');

export const conditionOf = (table: string, storeId: string | null): string => {
  if (storeId === null) return 'true';
  if (!UUID.test(storeId)) throw new Error(`${storeId} is not the id of a store`);
  return SCOPES[BACKED_UP[table] ?? 'none'](storeId);
};
