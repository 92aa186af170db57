import type { Standard } from './product.ts';

/** The fields that are never filled in from the stored record, because they have other rules. */
const STANDARD_FIELDS: ReadonlySet<string> = new Set<keyof Standard>([
  'id',
  'tenantId',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'isDeleted',
]);

/**
 * The list with each element filled in from the stored one of the same key. For elements without an
 * id.
 */
export const listWithStored = <E extends object>(given: readonly E[], stored: readonly E[], key: keyof E): E[] => {
  const byKey = new Map(stored.map((element) => [element[key], element]));
  return given.map((element) => {
    const before = byKey.get(element[key]);
    return before ? withStored(element, before) : element;
  });
};

type Nested = Readonly<Record<string, object>>;

const translationsWithStored = (given: Nested, stored: Nested): Nested =>
  Object.fromEntries(
    Object.entries(given).map(([locale, texts]) => {
      const before = Object.hasOwn(stored, locale) ? stored[locale] : undefined;
      return [locale, before ? withStored(texts, before) : texts];
    }),
  );

/**
 * `given` with its absent (undefined) fields taken from `stored`, unless they are skipped. A given
 * map or list replaces the stored one, but absent fields of an element that both have are taken
 * from the stored element. Null is a value.
 */
const fill = <G extends object>(given: G, stored: object, isSkipped: (field: string) => boolean): G => {
  const filled = { ...given } as Record<string, unknown>;
  for (const field of Object.keys(stored)) {
    if (isSkipped(field)) continue;
    const value = (stored as Readonly<Record<string, unknown>>)[field];
    const own = filled[field];
    if (own === undefined) filled[field] = value;
    else if (own === null || value === null) continue;
    else if (field === 'translations') filled[field] = translationsWithStored(own as Nested, value as Nested);
    else if (field === 'contentBlocks') {
      filled[field] = listWithStored(own as { key?: string }[], value as { key?: string }[], 'key');
    }
  }
  return filled as G;
};

const withStored = <G extends object>(given: G, stored: object): G => fill(given, stored, () => false);

/** The given record, filled in from the stored one except for the standard and the named fields. */
export const recordWithStored = <G extends object>(given: G, stored: object, except: readonly string[]): G =>
  fill(given, stored, (field) => STANDARD_FIELDS.has(field) || except.includes(field));
