import type { MetaobjectRepository, MetaobjectWrites } from '../../../domain/ports/custom-data/metaobject-repository.ts';
import type { Sql } from '../connection/sql.ts';
import {
  COUNT_ENTRIES,
  DELETE_ENTRY,
  ENTRIES,
  ENTRIES_AFTER,
  EXISTING,
  FIND_ENTRY,
  HAS_TYPE,
  LOCK_DEFINITION,
  LOCK_ENTRY,
  LOCK_TYPE,
  OWN_ENTRIES,
  OWN_ENTRIES_OF_PRODUCT,
  PUT_DEFINITION,
  PUT_ENTRY,
  SHARE_DEFINITION,
} from './metaobject-statements.ts';

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
