import { REFERENCE_TYPES, type FieldDefinition } from '../../../domain/custom-data/metaobject.ts';
import type { MetaobjectRepository, MetaobjectWrites } from '../../../domain/ports/custom-data/metaobject-repository.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { BEGIN_TIME, ERASE_KEPT, JOINED_OWNER, OWN_KEY, TO_ERASE } from '../work/entry-owner.ts';
import {
  COUNT_ENTRIES,
  DELETE_ENTRY,
  ENTRIES,
  ENTRIES_AFTER,
  FIND_ENTRY,
  HAS_TYPE,
  LOCK_ENTRY,
  OWN_ENTRIES,
  OWN_ENTRIES_OF_PRODUCT,
  ENTRY_OWNERS,
  PUT_ENTRY,
  REMOVE_ENTRIES,
  REMOVE_ENTRY,
  TYPE,
  WALK,
} from './entry-statements.ts';

const DEFINITION = 'SELECT type, name, fields FROM metaobject_definitions WHERE store_id = $storeId AND type = $type';
const DEFINITION_COLUMNS = { type: 'text', name: 'text', fields: json<FieldDefinition[]>('jsonb') } as const;

const SHARE_DEFINITION = statement({ text: `${DEFINITION} FOR SHARE`, parameters: TYPE, row: DEFINITION_COLUMNS });
const LOCK_DEFINITION = statement({ text: `${DEFINITION} FOR UPDATE`, parameters: TYPE, row: DEFINITION_COLUMNS });

const REMOVE_DEFINITION = statement({
  text: 'DELETE FROM metaobject_definitions WHERE store_id = $storeId AND type = $type',
  parameters: TYPE,
});

const COUNTED = `SELECT d.type, d.name, d.fields, n.entries, n.kept AS "keptEntries"
    FROM metaobject_definitions d CROSS JOIN LATERAL (
      SELECT count(*)::int AS entries, (count(*) FILTER (WHERE h.status = 'Uninstalled'))::int AS kept
      FROM metaobject_entries e JOIN ${JOINED_OWNER} WHERE e.store_id = $storeId AND e.type = d.type) n
    WHERE d.store_id = $storeId`;
const COUNTED_COLUMNS = { ...DEFINITION_COLUMNS, entries: 'int4', keptEntries: 'int4' } as const;

const COUNTED_DEFINITION = statement({ text: `${COUNTED} AND d.type = $type`, parameters: TYPE, row: COUNTED_COLUMNS });

const COUNTED_DEFINITIONS = statement({
  text: `${COUNTED} ORDER BY d.type COLLATE "C" OFFSET $skip LIMIT $take`,
  parameters: { storeId: 'uuid', skip: 'int8', take: 'int8' },
  row: COUNTED_COLUMNS,
});

/** No row without the store. */
const COUNT_DEFINITIONS = statement({
  text: 'SELECT (SELECT count(*)::int FROM metaobject_definitions WHERE store_id = $storeId) AS total FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { total: 'int4' },
});

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
    SELECT FROM metaobject_entries e WHERE e.store_id = $storeId AND e.installation_id = ${OWN_KEY} AND e.id = r.id)
END`;

const EXISTING = statement({
  text: `
    SELECT r.kind, r.id, r.key FROM unnest($kinds::text[], $ids::uuid[], $keys::text[]) AS r(kind, id, key) WHERE ${EXISTS}`,
  parameters: { storeId: 'uuid', installationId: 'uuid', kinds: 'text[]', ids: 'uuid[]', keys: 'text[]' },
  row: { kind: oneOf('text', Object.values(REFERENCE_TYPES)), id: 'uuid', key: 'text' },
});

export const metaobjectRepository = (sql: Sql): MetaobjectRepository => ({
  definitions: async (storeId, { skip, take }) => {
    const [found] = await sql.rows(COUNT_DEFINITIONS, { storeId });
    if (!found) return null;
    return { items: await sql.rows(COUNTED_DEFINITIONS, { storeId, skip, take }), skip, take, total: found.total };
  },
  definition: async (storeId, type) => (await sql.rows(COUNTED_DEFINITION, { storeId, type }))[0] ?? null,
  walk: async (storeId, type, after, limit) => {
    const entries = await sql.rows(WALK, { storeId, type, after, limit });
    // A type with entries exists.
    return entries.length > 0 || (await sql.rows(HAS_TYPE, { storeId, type })).length > 0 ? entries : null;
  },
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
  purgeKept: async (limit) => {
    let erased = 0;
    for (const { storeId, id, isDue } of await sql.rows(TO_ERASE, { limit })) {
      if (erased >= limit) break;
      if (isDue) erased += await sql.execute(ERASE_KEPT, { storeId, id, limit: limit - erased });
      else await sql.execute(BEGIN_TIME, { storeId, id });
    }
    return erased;
  },
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
  removeEntry: async (storeId, type, id) => (await sql.rows(REMOVE_ENTRY, { storeId, type, id }))[0] ?? null,
  ownersOf: (storeId, type, limit) => sql.rows(ENTRY_OWNERS, { storeId, type, limit }),
  removeDefinition: async (storeId, type) => {
    const removed = await sql.execute(REMOVE_ENTRIES, { storeId, type });
    await sql.execute(REMOVE_DEFINITION, { storeId, type });
    return removed;
  },
});
