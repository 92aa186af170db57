/**
 * The list with each element filled in from the stored one of the same key. For elements without an
 * id.
 */
export const listWithStored = <E extends object>(given: readonly E[], stored: readonly E[], key: keyof E): E[] => {
  const byKey = new Map(stored.map((element) => [element[key], element]));
  return given.map((element) => {
    const before = byKey.get(element[key]);
    return before ? recordWithStored(element, before) : element;
  });
};

type Nested = Readonly<Record<string, object>>;

const translationsWithStored = (given: Nested, stored: Nested): Nested =>
  Object.fromEntries(
    Object.entries(given).map(([locale, texts]) => {
      const before = Object.hasOwn(stored, locale) ? stored[locale] : undefined;
      return [locale, before ? recordWithStored(texts, before) : texts];
    }),
  );

/**
 * `given` with its absent (undefined) fields taken from `stored`, except for the named ones. A given
 * map or list replaces the stored one, but absent fields of an element that both have are taken
 * from the stored element. Null is a value.
 */
export const recordWithStored = <G extends object>(given: G, stored: object, except: readonly string[] = []): G => {
  const filled = { ...given } as Record<string, unknown>;
  for (const field of Object.keys(stored)) {
    if (except.includes(field)) continue;
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
