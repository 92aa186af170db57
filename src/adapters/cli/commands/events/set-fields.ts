import { CommandFailure, EXIT } from '../../failure.ts';

export type Data = Readonly<Record<string, unknown>>;

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

const isIndex = (key: string): boolean => /^\d{1,4}$/.test(key);

/** The value with the field at this path replaced. A list takes its indexes and the next one; what is missing is made. */
const put = (value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown => {
  if (key === undefined) return to;
  if (Array.isArray(value) && isIndex(key) && Number(key) <= value.length) {
    const items = [...(value as unknown[])];
    items[Number(key)] = put(items[Number(key)], rest, to);
    return items;
  }
  const fields = isObject(value) ? value : {};
  const isThere = Object.hasOwn(fields, key);
  const set = put(isThere ? fields[key] : undefined, rest, to);
  const entries = Object.entries(fields).map(([name, own]) => [name, name === key ? set : own] as const);
  // Not by assignment, which would take __proto__ for something else.
  return Object.fromEntries(isThere ? entries : [...entries, [key, set]]);
};

/** The data with each `path=value`, e.g. `customer.name=Ada` or `items.0.quantity=2`. Throws a CommandFailure. */
export const withFields = (data: Data, settings: readonly string[]): Data =>
  settings.reduce<Data>((sum, setting) => {
    const at = setting.indexOf('=');
    const path = setting.slice(0, Math.max(at, 0)).split('.');
    if (at < 1 || path.includes(''))
      throw new CommandFailure(`--set ${setting}: expected path=value, such as total=12.5.`, EXIT.usage);
    return put(sum, path, valueOf(setting.slice(at + 1))) as Data;
  }, data);
