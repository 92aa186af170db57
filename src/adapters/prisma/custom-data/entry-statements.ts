import type { EntryContent } from '../../../domain/custom-data/metaobject.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { keyOf, JOINED_OWNER, OWN_KEY } from '../work/entry-owner.ts';

export const TYPE = { storeId: 'uuid', type: 'text' } as const;

/** `owner` is SQL for the installation that has the entry `e`. */
const fieldsOf = (owner: string): string => `e.id, ${owner} AS "installationId", e.type, e.handle, e.fields, e.translations,
  iso(e.published_at) AS "publishedAt", e.seo_title AS "seoTitle", e.seo_description AS "seoDescription",
  iso(e.created_at) AS "createdAt", iso(e.updated_at) AS "updatedAt"`;

const OWN_FIELDS = fieldsOf('$installationId::uuid');

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

export const HAS_TYPE = statement({
  text: 'SELECT type FROM metaobject_definitions WHERE store_id = $storeId AND type = $type',
  parameters: TYPE,
  row: { type: 'text' },
});

/** No row where the store has no such type. */
export const COUNT_ENTRIES = statement({
  text: `
    SELECT (SELECT count(*)::int FROM metaobject_entries WHERE store_id = $storeId AND type = $type) AS total
    FROM metaobject_definitions WHERE store_id = $storeId AND type = $type`,
  parameters: TYPE,
  row: { total: 'int4' },
});

const STORED = `
    SELECT ${fieldsOf('h.id')}, CASE WHEN h.status = 'Uninstalled' THEN iso(h.entries_until) END AS "keptUntil"
    FROM metaobject_entries e JOIN ${JOINED_OWNER} WHERE e.store_id = $storeId AND e.type = $type`;

export const ENTRIES = statement({
  text: `${STORED} ORDER BY e.created_at, e.id OFFSET $skip LIMIT $take`,
  parameters: { ...TYPE, skip: 'int8', take: 'int8' },
  row: { ...ENTRY, keptUntil: 'text?' },
});

const BEHIND = '($after::uuid IS NULL OR e.id > $after) ORDER BY e.id LIMIT $limit';

export const WALK = statement({
  text: `${STORED} AND ${BEHIND}`,
  parameters: { ...TYPE, after: 'uuid?', limit: 'int8' },
  row: { ...ENTRY, keptUntil: 'text?' },
});

const LIVING = `metaobject_entries e JOIN ${JOINED_OWNER} AND h.status <> 'Uninstalled' WHERE e.store_id = $storeId AND e.type = $type`;

export const ENTRIES_AFTER = statement({
  text: `SELECT ${fieldsOf('h.id')} FROM ${LIVING} AND ${BEHIND}`,
  parameters: { ...TYPE, after: 'uuid?', limit: 'int8' },
  row: ENTRY,
});

const OWNED = { id: 'uuid', installationId: 'uuid' } as const;

export const ENTRY_OWNERS = statement({
  text: `SELECT e.id, h.id AS "installationId" FROM ${LIVING} ORDER BY e.id LIMIT $limit`,
  parameters: { ...TYPE, limit: 'int8' },
  row: OWNED,
});

export const REMOVE_ENTRY = statement({
  text: `
    DELETE FROM metaobject_entries e USING installations h
    WHERE e.store_id = $storeId AND e.type = $type AND e.id = $id AND h.store_id = $storeId AND ${keyOf('h')} = e.installation_id
    RETURNING e.id, h.id AS "installationId"`,
  parameters: { ...TYPE, id: 'uuid' },
  row: OWNED,
});

export const REMOVE_ENTRIES = statement({
  text: 'DELETE FROM metaobject_entries WHERE store_id = $storeId AND type = $type',
  parameters: TYPE,
});

const PLACE = { storeId: 'uuid', installationId: 'uuid', type: 'text', handle: 'text' } as const;

const ENTRY_AT = `metaobject_entries e WHERE e.store_id = $storeId AND e.installation_id = ${OWN_KEY} AND e.type = $type AND e.handle = $handle`;

export const FIND_ENTRY = statement({ text: `SELECT ${OWN_FIELDS} FROM ${ENTRY_AT}`, parameters: PLACE, row: ENTRY });

export const LOCK_ENTRY = statement({
  text: `SELECT ${OWN_FIELDS} FROM ${ENTRY_AT} FOR UPDATE OF e`,
  parameters: PLACE,
  row: ENTRY,
});
export const DELETE_ENTRY = statement({ text: `DELETE FROM ${ENTRY_AT}`, parameters: PLACE });

const RANGE = { storeId: 'uuid', installationId: 'uuid', type: 'text', after: 'text?', limit: 'int8' } as const;

const OWN = `SELECT ${OWN_FIELDS} FROM metaobject_entries e
  WHERE e.store_id = $storeId AND e.installation_id = ${OWN_KEY} AND e.type = $type AND ($after::text IS NULL OR e.handle > $after)`;
const BY_HANDLE = 'ORDER BY e.handle LIMIT $limit';

/** By the unique key of entries. */
export const OWN_ENTRIES = statement({ text: `${OWN} ${BY_HANDLE}`, parameters: RANGE, row: ENTRY });

/**
 * The values that look like ids, alone or in a list: the expression of the index metaobject_entries_ids_idx, which
 * a text with the id of the product may be in as well. So the fields of products decide.
 */
const IDS = `jsonb_path_query_array(e.fields, '$.*[*] ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")')`;

export const OWN_ENTRIES_OF_PRODUCT = statement({
  text: `${OWN} AND ${IDS} @> to_jsonb($product::uuid) AND EXISTS (
      SELECT FROM metaobject_definitions d, jsonb_array_elements(d.fields) f
      WHERE d.store_id = $storeId AND d.type = $type AND f ->> 'type' = 'product_reference'
        AND e.fields -> (f ->> 'key') @> to_jsonb($product::uuid))
    ${BY_HANDLE}`,
  parameters: { ...RANGE, product: 'uuid' },
  row: ENTRY,
});

/** No row where the entry has this content already. An older row is updated at the time at which a new one would be created. */
export const PUT_ENTRY = statement({
  text: `
    INSERT INTO metaobject_entries AS e
      (id, store_id, installation_id, type, handle, fields, translations, published_at, seo_title, seo_description)
    SELECT $id::uuid, i.store_id, ${keyOf('i')}, $type, $handle, $fields::jsonb, $translations::jsonb, $publishedAt::timestamptz,
      $seoTitle, $seoDescription
    FROM installations i WHERE i.store_id = $storeId AND i.id = $installationId
    ON CONFLICT (store_id, installation_id, type, handle) DO UPDATE SET fields = EXCLUDED.fields,
      translations = EXCLUDED.translations, published_at = EXCLUDED.published_at, seo_title = EXCLUDED.seo_title,
      seo_description = EXCLUDED.seo_description, updated_at = EXCLUDED.created_at
    WHERE (e.fields, e.translations, e.published_at, e.seo_title, e.seo_description) IS DISTINCT FROM
      (EXCLUDED.fields, EXCLUDED.translations, EXCLUDED.published_at, EXCLUDED.seo_title, EXCLUDED.seo_description)
    RETURNING xmax = 0 AS created`,
  parameters: {
    id: 'uuid',
    ...PLACE,
    fields: 'jsonb',
    translations: 'jsonb?',
    publishedAt: 'timestamptz?',
    seoTitle: 'text?',
    seoDescription: 'text?',
  },
  row: { created: 'bool' },
});
