type Path = readonly (string | number)[];

const entriesOf = (value: object): readonly (readonly [string | number, unknown])[] =>
  Array.isArray(value) ? value.map((inner: unknown, index) => [index, inner] as const) : Object.entries(value);

/** Places of the texts in a value. */
export const textPaths = (value: unknown): readonly Path[] => {
  if (typeof value === 'string') return [[]];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return entriesOf(value).flatMap(([key, inner]) => textPaths(inner).map((path) => [key, ...path]));
};

/** The value with a change of the text in this place. */
export const withTextAt = <T>(value: T, [key, ...rest]: Path, change: (text: string) => string): T => {
  if (key === undefined) return (typeof value === 'string' ? change(value) : value) as T;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (index === key ? withTextAt(inner, rest, change) : inner)) as unknown as T;
  const inner = (value as Readonly<Record<string | number, unknown>>)[key];
  return { ...value, [key]: withTextAt(inner, rest, change) };
};

/** The value with U+0000 in each of its texts. */
export const withNuls = <T>(value: T): T =>
  textPaths(value).reduce((one, path) => withTextAt(one, path, (text) => `${text}\0`), value);
