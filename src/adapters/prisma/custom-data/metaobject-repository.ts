import type { Definition, Entry, Reference } from '../../../domain/custom-data/metaobject.ts';
import type { MetaobjectRepository, MetaobjectWrites } from '../../../domain/ports/metaobject-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';

const ENTRY = `id, installation_id AS "installationId", type, handle, fields, translations, iso(published_at) AS "publishedAt",
  seo_title AS "seoTitle", seo_description AS "seoDescription", iso(created_at) AS "createdAt", iso(updated_at) AS "updatedAt"`;

export const metaobjectRepository = (database: Database): MetaobjectRepository => ({
  list: async (storeId, type, { skip, take }) => {
    const [found] = await database.query<{ total: number }>(
      `SELECT (SELECT count(*)::int FROM metaobject_entries WHERE store_id = $1 AND type = $2) AS total
       FROM metaobject_definitions WHERE store_id = $1 AND type = $2`,
      [storeId, type],
    );
    if (!found) return null;
    const items = await database.query<Entry>(
      `SELECT ${ENTRY} FROM metaobject_entries WHERE store_id = $1 AND type = $2 ORDER BY created_at, id OFFSET $3 LIMIT $4`,
      [storeId, type, skip, take],
    );
    return { items, skip, take, total: found.total };
  },
});

/** Whether the store has the target of r: nothing deleted, of the entries only the owner's. */
const EXISTS = `CASE r.kind
  WHEN 'product' THEN EXISTS (SELECT FROM products p WHERE p.store_id = $1 AND p.id = r.id AND p.deleted_at IS NULL)
  WHEN 'variant' THEN EXISTS (SELECT FROM variants v JOIN products p ON p.store_id = v.store_id AND p.id = v.product_id
    WHERE v.store_id = $1 AND v.id = r.id AND v.deleted_at IS NULL AND p.deleted_at IS NULL)
  WHEN 'media' THEN EXISTS (SELECT FROM media m JOIN products p ON p.store_id = m.store_id AND p.id = m.product_id
    WHERE m.store_id = $1 AND m.id = r.id AND m.deleted_at IS NULL AND p.deleted_at IS NULL)
  WHEN 'collection' THEN EXISTS (SELECT FROM collections c WHERE c.store_id = $1 AND c.id = r.id)
  WHEN 'category' THEN EXISTS (SELECT FROM categories c WHERE c.store_id = $1 AND c.id = r.id AND c.deleted_at IS NULL)
  WHEN 'metaobject' THEN EXISTS (SELECT FROM metaobject_entries e WHERE e.store_id = $1 AND e.installation_id = $2 AND e.id = r.id)
END`;

const DEFINITION = 'SELECT type, name, fields FROM metaobject_definitions WHERE store_id = $1 AND type = $2';

export const metaobjectWrites = (sql: Sql): MetaobjectWrites => ({
  shareDefinition: async (storeId, type) => {
    const [row] = await sql.query<Definition>(`${DEFINITION} FOR SHARE`, [storeId, type]);
    return row ?? null;
  },
  lockDefinition: async (storeId, type) => {
    // The row's lock alone would let two transactions define a new type at once.
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended('metaobject ' || $1 || ' ' || $2, 0))", [storeId, type]);
    const [row] = await sql.query<Definition>(`${DEFINITION} FOR UPDATE`, [storeId, type]);
    return row ?? null;
  },
  putDefinition: async (storeId, { type, name, fields }) => {
    const rows = await sql.query(
      `INSERT INTO metaobject_definitions (store_id, type, name, fields)
       SELECT id, $2, $3, $4::jsonb FROM stores WHERE id = $1
       ON CONFLICT (store_id, type) DO UPDATE SET name = EXCLUDED.name, fields = EXCLUDED.fields, updated_at = now()
       RETURNING 1`,
      [storeId, type, name, JSON.stringify(fields)],
    );
    return rows.length > 0;
  },
  entriesAfter: (storeId, type, after, limit) =>
    sql.query<Entry>(
      `SELECT ${ENTRY} FROM metaobject_entries
       WHERE store_id = $1 AND type = $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`,
      [storeId, type, after, limit],
    ),
  existing: async ({ storeId, installationId }, references) => {
    if (references.length === 0) return [];
    return sql.query<Reference>(
      `SELECT r.kind, r.id, r.key FROM unnest($3::text[], $4::uuid[], $5::text[]) AS r(kind, id, key) WHERE ${EXISTS}`,
      [
        storeId,
        installationId,
        references.map(({ kind }) => kind),
        references.map(({ id }) => id),
        references.map(({ key }) => key),
      ],
    );
  },
  putEntry: async ({ storeId, installationId, type, handle }, content, newId) => {
    const [written] = await sql.query<Entry & { created: boolean }>(
      `INSERT INTO metaobject_entries AS e
         (id, store_id, installation_id, type, handle, fields, translations, published_at, seo_title, seo_description)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10)
       ON CONFLICT (store_id, installation_id, type, handle) DO UPDATE SET fields = EXCLUDED.fields,
         translations = EXCLUDED.translations, published_at = EXCLUDED.published_at, seo_title = EXCLUDED.seo_title,
         seo_description = EXCLUDED.seo_description, updated_at = now()
       WHERE (e.fields, e.translations, e.published_at, e.seo_title, e.seo_description) IS DISTINCT FROM
         (EXCLUDED.fields, EXCLUDED.translations, EXCLUDED.published_at, EXCLUDED.seo_title, EXCLUDED.seo_description)
       RETURNING ${ENTRY}, xmax = 0 AS created`,
      [
        newId,
        storeId,
        installationId,
        type,
        handle,
        JSON.stringify(content.fields),
        content.translations && JSON.stringify(content.translations),
        content.publishedAt,
        content.seoTitle,
        content.seoDescription,
      ],
    );
    if (written) {
      const { created, ...entry } = written;
      return { entry, change: created ? 'created' : 'updated' };
    }
    const [entry] = await sql.query<Entry>(
      `SELECT ${ENTRY} FROM metaobject_entries WHERE store_id = $1 AND installation_id = $2 AND type = $3 AND handle = $4`,
      [storeId, installationId, type, handle],
    );
    if (!entry) throw new Error('an entry that was neither written nor there');
    return { entry, change: 'unchanged' };
  },
});
