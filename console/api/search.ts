import { queryOf } from './query-string.ts';

/** Unparsed search parameters of the URL: texts, and lists where a name is repeated. */
type Given = Readonly<Record<string, unknown>>;

export const parseSearch = (query: string): Record<string, string | string[]> => {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
};

export const stringifySearch = (search: Given): string => queryOf(search as Parameters<typeof queryOf>[0]);

/** A text of the URL; undefined where there is none. */
export const text = (given: Given, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** A time of the URL; undefined where it is not one. */
export const timeText = (given: Given, name: string): string | undefined => {
  const value = text(given, name);
  return value !== undefined && !Number.isNaN(Date.parse(value)) ? value : undefined;
};

/** Returns undefined for a text that is not an option. */
export const oneOf = <T extends string>(given: Given, name: string, options: readonly T[]): T | undefined =>
  options.find((option) => option === given[name]);

/** Returns the listed options; undefined without any. */
export const someOf = <T extends string>(given: Given, name: string, options: readonly T[]): readonly T[] | undefined => {
  const value = given[name];
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const found = options.filter((option) => values.includes(option));
  return found.length > 0 ? found : undefined;
};

/**
 * Search parameters of a page. The router lays them over the URL's, so an undefined member stays:
 * it removes an invalid value. Its type is absent, for exact optional properties.
 */
export const present = <T extends object>(search: T): { [K in keyof T]?: Exclude<T[K], undefined> } => search;
