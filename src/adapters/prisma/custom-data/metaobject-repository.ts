import { REFERENCE_TYPES, type EntryContent, type FieldDefinition } from '../../../domain/custom-data/metaobject.ts';
import type { MetaobjectRepository, MetaobjectWrites } from '../../../domain/ports/custom-data/metaobject-repository.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const TYPE = { storeId: 'uuid', type: 'text' } as const;

const ENTRY_FIELDS = `id, installation_id AS "installationId", type, handle, fields, translations, iso(published_at) AS "publishedAt",
  seo_title AS "seoTitle", seo_description AS "seoDescription", iso(created_at) AS "createdAt", iso(updated_at) AS "updatedAt"`;

const ENTRY = {
  id: 'uuid',
  installationId: 'uuid',
  type: 'text',
  handle: 'text',
  fields: json<EntryContent['fields']>('jsonb'),
  translations: json<EntryContent['translations']>('jsonb?'),
  publishedAt: 'text?',
  seoTitle: 'text?',
  seoDescription: 'text?',
  createdAt: 'text',
  updatedAt: 'text?',
} as const;

const HAS_TYPE = statement({
  text: 'SELECT type FROM metaobject_definitions WHERE store_id = $storeId AND type = $type',
  parameters: TYPE,
  row: { type: 'text' },
});

/** No row where the store has no such type. */
const COUNT_ENTRIES = statement({
  text: `
    SELECT (SELECT count(*)::int FROM metaobject_entries WHERE store_id = $storeId AND type = $type) AS total
    FROM metaobject_definitions WHERE store_id = $storeId AND type = $type`,
  parameters: TYPE,
  row: { total: 'int4' },
});

const ENTRIES = statement({
  text: `
    SELECT ${ENTRY_FIELDS} FROM metaobject_entries WHERE store_id = $storeId AND type = $type
    ORDER BY created_at, id OFFSET $skip LIMIT $take`,
  parameters: { ...TYPE, skip: 'int8', take: 'int8' },
  row: ENTRY,
});

const ENTRIES_AFTER = statement({
  text: `
    SELECT ${ENTRY_FIELDS} FROM metaobject_entries
    WHERE store_id = $storeId AND type = $type AND ($after::uuid IS NULL OR id > $after) ORDER BY id LIMIT $limit`,
  parameters: { ...TYPE, after: 'uuid?', limit: 'int8' },
  row: ENTRY,
});

const KEY = { storeId: 'uuid', installationId: 'uuid', type: 'text', handle: 'text' } as const;

const ENTRY_AT =
  'metaobject_entries WHERE store_id = $storeId AND installation_id = $installationId AND type = $type AND handle = $handle';

const FIND_ENTRY = statement({ text: `SELECT ${ENTRY_FIELDS} FROM ${ENTRY_AT}`, parameters: KEY, row: ENTRY });

const LOCK_ENTRY = statement({
  text: `SELECT ${ENTRY_FIELDS} FROM ${ENTRY_AT} FOR UPDATE`,
  parameters: KEY,
  row: ENTRY,
});
const DELETE_ENTRY = statement({ text: `DELETE FROM ${ENTRY_AT}`, parameters: KEY });

const RANGE = { storeId: 'uuid', installationId: 'uuid', type: 'text', after: 'text?', limit: 'int8' } as const;

const OWN = `SELECT ${ENTRY_FIELDS} FROM metaobject_entries e
  WHERE e.store_id = $storeId AND e.installation_id = $installationId AND e.type = $type AND ($after::text IS NULL OR e.handle > $after)`;
const BY_HANDLE = 'ORDER BY e.handle LIMIT $limit';

/** By the unique key of entries. */
const OWN_ENTRIES = statement({ text: `${OWN} ${BY_HANDLE}`, parameters: RANGE, row: ENTRY });

/**
 * The values that look like ids, alone or in a list: the expression of the index metaobject_entries_ids_idx, which
 * a text with the id of the product may be in as well. So the fields of products decide.
 */
const IDS = `jsonb_path_query_array(e.fields, '$.*[*] ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")')`;

const OWN_ENTRIES_OF_PRODUCT = statement({
  text: `${OWN} AND ${IDS} @> to_jsonb($product::uuid) AND EXISTS (
      SELECT FROM metaobject_definitions d, jsonb_array_elements(d.fields) f
      WHERE d.store_id = $storeId AND d.type = $type AND f ->> 'type' = 'product_reference'
        AND e.fields -> (f ->> 'key') @> to_jsonb($product::uuid))
    ${BY_HANDLE}`,
  parameters: { ...RANGE, product: 'uuid' },
  row: ENTRY,
});

/** No row where the entry has this content already. An older row is updated at the time at which a new one would be created. */
const PUT_ENTRY = statement({
  text: `
    INSERT INTO metaobject_entries AS e
      (id, store_id, installation_id, type, handle, fields, translations, published_at, seo_title, seo_description)
    VALUES ($id, $storeId, $installationId, $type, $handle, $fields, $translations, $publishedAt, $seoTitle, $seoDescription)
    ON CONFLICT (store_id, installation_id, type, handle) DO UPDATE SET fields = EXCLUDED.fields,
      translations = EXCLUDED.translations, published_at = EXCLUDED.published_at, seo_title = EXCLUDED.seo_title,
      seo_description = EXCLUDED.seo_description, updated_at = EXCLUDED.created_at
    WHERE (e.fields, e.translations, e.published_at, e.seo_title, e.seo_description) IS DISTINCT FROM
      (EXCLUDED.fields, EXCLUDED.translations, EXCLUDED.published_at, EXCLUDED.seo_title, EXCLUDED.seo_description)
    RETURNING xmax = 0 AS created`,
  parameters: {
    id: 'uuid',
    ...KEY,
    fields: 'jsonb',
    translations: 'jsonb?',
    publishedAt: 'timestamptz?',
    seoTitle: 'text?',
    seoDescription: 'text?',
  },
  row: { created: 'bool' },
});

const DEFINITION = 'SELECT type, name, fields FROM metaobject_definitions WHERE store_id = $storeId AND type = $type';
const DEFINITION_COLUMNS = { type: 'text', name: 'text', fields: json<FieldDefinition[]>('jsonb') } as const;

const SHARE_DEFINITION = statement({ text: `${DEFINITION} FOR SHARE`, parameters: TYPE, row: DEFINITION_COLUMNS });
const LOCK_DEFINITION = statement({ text: `${DEFINITION} FOR UPDATE`, parameters: TYPE, row: DEFINITION_COLUMNS });

/** The lock of a type that may have no row yet. */
const LOCK_TYPE = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('metaobject ' || $storeId || ' ' || $type, 0))",
  parameters: { storeId: 'text', type: 'text' },
});

const PUT_DEFINITION = statement({
  text: `
    INSERT INTO metaobject_definitions (store_id, type, name, fields)
    SELECT id, $type, $name, $fields::jsonb FROM stores WHERE id = $storeId
    ON CONFLICT (store_id, type) DO UPDATE SET name = EXCLUDED.name, fields = EXCLUDED.fields, updated_at = EXCLUDED.created_at`,
  parameters: { ...TYPE, name: 'text', fields: 'jsonb' },
});

/** True when the store has the target of r. Deleted records and the entries of other apps do not count. */
const EXISTS = `CASE r.kind
  WHEN 'product' THEN EXISTS (SELECT FROM products p WHERE p.store_id = $storeId AND p.id = r.id AND p.deleted_at IS NULL)
  WHEN 'variant' THEN EXISTS (SELECT FROM variants v JOIN products p ON p.store_id = v.store_id AND p.id = v.product_id
    WHERE v.store_id = $storeId AND v.id = r.id AND v.deleted_at IS NULL AND p.deleted_at IS NULL)
  WHEN 'media' THEN EXISTS (SELECT FROM media m JOIN products p ON p.store_id = m.store_id AND p.id = m.product_id
    WHERE m.store_id = $storeId AND m.id = r.id AND m.deleted_at IS NULL AND p.deleted_at IS NULL)
  WHEN 'collection' THEN EXISTS (SELECT FROM collections c WHERE c.store_id = $storeId AND c.id = r.id)
  WHEN 'category' THEN EXISTS (SELECT FROM categories c WHERE c.store_id = $storeId AND c.id = r.id AND c.deleted_at IS NULL)
  WHEN 'metaobject' THEN EXISTS (
    SELECT FROM metaobject_entries e WHERE e.store_id = $storeId AND e.installation_id = $installationId AND e.id = r.id)
END`;

const EXISTING = statement({
  text: `
    SELECT r.kind, r.id, r.key FROM unnest($kinds::text[], $ids::uuid[], $keys::text[]) AS r(kind, id, key) WHERE ${EXISTS}`,
  parameters: { storeId: 'uuid', installationId: 'uuid', kinds: 'text[]', ids: 'uuid[]', keys: 'text[]' },
  row: { kind: oneOf('text', Object.values(REFERENCE_TYPES)), id: 'uuid', key: 'text' },
});

export const metaobjectRepository = (sql: Sql): MetaobjectRepository => ({
  list: async (storeId, type, { skip, take }) => {
    const [found] = await sql.rows(COUNT_ENTRIES, { storeId, type });
    if (!found) return null;
    return { items: await sql.rows(ENTRIES, { storeId, type, skip, take }), skip, take, total: found.total };
  },
  listOwn: async ({ storeId, installationId }, type, { after, limit, product }) => {
    const range = { storeId, installationId, type, after, limit };
    const entries = await (product === undefined
      ? sql.rows(OWN_ENTRIES, range)
      : sql.rows(OWN_ENTRIES_OF_PRODUCT, { ...range, product }));
    // A type with entries exists.
    return entries.length > 0 || (await sql.rows(HAS_TYPE, { storeId, type })).length > 0 ? entries : null;
  },
  find: async ({ storeId, installationId, type, handle }) =>
    (await sql.rows(FIND_ENTRY, { storeId, installationId, type, handle }))[0] ?? null,
});

export const metaobjectWrites = (sql: Sql): MetaobjectWrites => ({
  shareDefinition: async (storeId, type) => (await sql.rows(SHARE_DEFINITION, { storeId, type }))[0] ?? null,
  lockDefinition: async (storeId, type) => {
    // The row's lock alone would let two transactions define a new type at once.
    await sql.execute(LOCK_TYPE, { storeId, type });
    return (await sql.rows(LOCK_DEFINITION, { storeId, type }))[0] ?? null;
  },
  putDefinition: async (storeId, { type, name, fields }) =>
    (await sql.execute(PUT_DEFINITION, { storeId, type, name, fields: JSON.stringify(fields) })) > 0,
  entriesAfter: (storeId, type, after, limit) => sql.rows(ENTRIES_AFTER, { storeId, type, after, limit }),
  existing: async ({ storeId, installationId }, references) => {
    if (references.length === 0) return [];
    return sql.rows(EXISTING, {
      storeId,
      installationId,
      kinds: references.map(({ kind }) => kind),
      ids: references.map(({ id }) => id),
      keys: references.map(({ key }) => key),
    });
  },
  putEntry: async ({ storeId, installationId, type, handle }, content, newId) => {
    const key = { storeId, installationId, type, handle };
    const { translations, publishedAt, seoTitle, seoDescription } = content;
    const put = sql.rows(PUT_ENTRY, {
      ...key,
      id: newId,
      fields: JSON.stringify(content.fields),
      translations: translations && JSON.stringify(translations),
      publishedAt,
      seoTitle,
      seoDescription,
    });
    const [[written], [entry]] = await Promise.all([put, sql.rows(FIND_ENTRY, key)]);
    if (!entry) throw new Error('The entry was neither written nor found');
    if (!written) return { entry, change: 'unchanged' };
    return { entry, change: written.created ? 'created' : 'updated' };
  },
  lockEntry: async ({ storeId, installationId, type, handle }) =>
    (await sql.rows(LOCK_ENTRY, { storeId, installationId, type, handle }))[0] ?? null,
  deleteEntry: async ({ storeId, installationId, type, handle }) => {
    await sql.execute(DELETE_ENTRY, { storeId, installationId, type, handle });
  },
});
