import type { Clock } from '../../../src/domain/ports/clock.ts';
import type {
  EntryOwner,
  EntryPlace,
  MetaobjectRepository,
  MetaobjectWrites,
} from '../../../src/domain/ports/custom-data/metaobject-repository.ts';
import type { Definition, Entry, EntryContent, Reference } from '../../../src/domain/custom-data/metaobject.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { byCreation, storesOf } from '../identity/identity-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';

interface EntryRow {
  readonly storeId: string;
  readonly entry: Entry;
}

const definitionsOf = (state: MemoryState): Map<string, Definition> => table<Definition>(state, 'metaobject_definitions');
const rowsOf = (state: MemoryState): Map<string, EntryRow> => table<EntryRow>(state, 'metaobject_entries');

const entriesOf = (state: MemoryState, storeId: string, type: string): Entry[] =>
  [...rowsOf(state).values()].filter((row) => row.storeId === storeId && row.entry.type === type).map(({ entry }) => entry);

const keyOf = ({ storeId, installationId, type, handle }: EntryPlace): string =>
  [storeId, installationId, type, handle].join('/');

export const metaobjectRepository = (state: MemoryState): MetaobjectRepository => ({
  list: async (storeId, type, { skip, take }) => {
    if (!definitionsOf(state).has(`${storeId}/${type}`)) return null;
    const entries = entriesOf(state, storeId, type).sort(byCreation);
    return { items: entries.slice(skip, skip + take), skip, take, total: entries.length };
  },
  listOwn: async ({ storeId, installationId }, type, { after, limit, product }) => {
    const definition = definitionsOf(state).get(`${storeId}/${type}`);
    if (!definition) return null;
    const keys = definition.fields.filter((field) => field.type === 'product_reference').map(({ key }) => key);
    return entriesOf(state, storeId, type)
      .filter((entry) => entry.installationId === installationId && (after === null || entry.handle > after))
      .filter(({ fields }) => product === undefined || keys.some((key) => [fields[key]].flat().includes(product)))
      .sort((one, other) => (one.handle < other.handle ? -1 : 1))
      .slice(0, limit);
  },
  find: async (place) => rowsOf(state).get(keyOf(place))?.entry ?? null,
});

const isLive = (row: { readonly deletedAt?: string | null } | undefined): boolean =>
  row !== undefined && (row.deletedAt ?? null) === null;

const exists = (state: MemoryState, { storeId, installationId }: EntryOwner, { kind, id }: Reference): boolean => {
  const products = (): Product[] =>
    [...table<Product>(state, 'products').values()].filter((product) => product.tenantId === storeId && isLive(product));
  const at = `${storeId}/${id}`;
  switch (kind) {
    case 'product':
      return products().some((product) => product.id === id);
    case 'variant':
      return products().some((product) => product.variants.some((variant) => variant.id === id && isLive(variant)));
    case 'media':
      return products().some((product) => product.media.some((media) => media.id === id && isLive(media)));
    case 'collection':
      return isLive(table<object>(state, 'collections').get(at));
    case 'category':
      return isLive(table<object>(state, 'categories').get(at));
    case 'metaobject':
      return [...rowsOf(state).values()].some(
        (row) => row.storeId === storeId && row.entry.installationId === installationId && row.entry.id === id,
      );
  }
};

/** The order of keys makes no difference, as in a database's documents. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const contentOf = ({ fields, translations, publishedAt, seoTitle, seoDescription }: EntryContent): EntryContent => ({
  fields,
  translations,
  publishedAt,
  seoTitle,
  seoDescription,
});

export const metaobjectWrites = (state: MemoryState, clock: Clock, locks: TransactionLocks): MetaobjectWrites => ({
  shareDefinition: async (storeId, type) => {
    await locks.take(`definition ${storeId}/${type}`, 'shared');
    return definitionsOf(state).get(`${storeId}/${type}`) ?? null;
  },
  lockDefinition: async (storeId, type) => {
    await locks.take(`definition ${storeId}/${type}`);
    return definitionsOf(state).get(`${storeId}/${type}`) ?? null;
  },
  putDefinition: async (storeId, definition) => {
    if (!storesOf(state).has(storeId)) return false;
    definitionsOf(state).set(`${storeId}/${definition.type}`, definition);
    return true;
  },
  entriesAfter: async (storeId, type, after, limit) =>
    entriesOf(state, storeId, type)
      .filter(({ id }) => after === null || id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
  existing: async (owner, references) => references.filter((reference) => exists(state, owner, reference)),
  putEntry: async (place, input, newId) => {
    const { storeId, installationId, type, handle } = place;
    const key = keyOf(place);
    await locks.take(`entry ${key}`);
    const content = contentOf(input);
    const current = rowsOf(state).get(key)?.entry;
    const now = isoTime(clock.now());
    if (!current) {
      const entry = { id: newId, installationId, type, handle, ...content, createdAt: now, updatedAt: null };
      rowsOf(state).set(key, { storeId, entry });
      return { entry, change: 'created' };
    }
    if (canonical(contentOf(current)) === canonical(content)) return { entry: current, change: 'unchanged' };
    const entry = { ...current, ...content, updatedAt: now };
    rowsOf(state).set(key, { storeId, entry });
    return { entry, change: 'updated' };
  },
  lockEntry: async (place) => {
    await locks.take(`entry ${keyOf(place)}`);
    return rowsOf(state).get(keyOf(place))?.entry ?? null;
  },
  deleteEntry: async (place) => {
    await locks.take(`entry ${keyOf(place)}`);
    rowsOf(state).delete(keyOf(place));
  },
});
