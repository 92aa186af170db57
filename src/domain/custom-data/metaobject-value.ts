import { parseDate, parseDateTime } from './calendar.ts';
import { MAX_JSON_BYTES, MAX_VALUE_BYTES, isReference } from './metaobject.ts';
import type { FieldType } from './metaobject.ts';
import { isExactNumber } from '../values/exact-number.ts';
import { isWebUrl, WEB_URL_RULE } from '../values/web-url.ts';

/** The value as it is stored, or what is wrong with it. */
export type Parsed = { readonly value: unknown } | { readonly fault: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number, or digits that spell one that a double keeps (app-api.md, Notation); null when it is neither. */
const number = (value: unknown, digits: RegExp): number | null => {
  const parsed = typeof value === 'string' && digits.test(value) && isExactNumber(value) ? Number(value) : value;
  if (typeof parsed !== 'number' || !Number.isFinite(parsed)) return null;
  return parsed === 0 ? 0 : parsed;
};
const decimal = (value: unknown): number | null => number(value, /^-?\d+(\.\d+)?$/);
const integer = (value: unknown): number | null => {
  const parsed = number(value, /^-?\d+$/);
  return Number.isSafeInteger(parsed) ? parsed : null;
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const url = (value: unknown): string | null => (typeof value === 'string' && isWebUrl(value) ? value : null);

const money = (value: unknown): unknown => {
  if (!isRecord(value) || Object.keys(value).some((key) => key !== 'amount' && key !== 'currencyCode')) return null;
  const amount = decimal(value['amount']);
  const currencyCode = value['currencyCode'];
  return amount !== null && typeof currencyCode === 'string' && /^[A-Z]{3}$/.test(currencyCode) ? { amount, currencyCode } : null;
};

const matching =
  (pattern: RegExp) =>
  (value: unknown): string | null =>
    typeof value === 'string' && pattern.test(value) ? value : null;

/** Reads a value; null when it isn't one of the type. No type has null for a value: that means none is given. */
const READERS: Readonly<Record<Exclude<FieldType, `${string}_reference`>, readonly [(value: unknown) => unknown, string]>> = {
  single_line_text: [matching(/^[^\n\r\u2028\u2029]*$/), 'must be a text of one line'],
  multi_line_text: [text, 'must be a text'],
  rich_text: [(value) => (isRecord(value) ? value : text(value)), 'must be a text or a document (a JSON object)'],
  integer: [integer, 'must be an integer of at most 9007199254740991 either way'],
  decimal: [decimal, 'must be a number that a 64-bit float keeps exactly: 15 significant digits always fit'],
  boolean: [(value) => (typeof value === 'boolean' ? value : null), 'must be true or false'],
  date: [(value) => (typeof value === 'string' ? parseDate(value) : null), 'must be a date of the calendar (YYYY-MM-DD)'],
  date_time: [
    (value) => (typeof value === 'string' ? parseDateTime(value) : null),
    'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ)',
  ],
  url: [url, WEB_URL_RULE],
  color: [matching(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i), 'must be a color (#rrggbb or #rrggbbaa)'],
  money: [money, 'must be money: {amount: a number of at most 15 significant digits, currencyCode: three capital letters}'],
  json: [(value) => value, 'must be a JSON value'],
};

const reference = (value: unknown): string | null => matching(UUID)(value)?.toLowerCase() ?? null;

const sizeOf = (value: unknown): number => bytesOf(typeof value === 'string' ? value : JSON.stringify(value));

/** Reads one value of the type: 64 KB of UTF-8 at most, 128 KB of it where it is json. */
export const parseValue = (type: FieldType, input: unknown): Parsed => {
  const [read, fault] = isReference(type) ? ([reference, 'must be the id of a record (a UUID)'] as const) : READERS[type];
  const value = read(input) ?? null;
  if (value === null) return { fault };
  const limit = type === 'json' ? MAX_JSON_BYTES : MAX_VALUE_BYTES;
  const size = type === 'json' ? bytesOf(JSON.stringify(value)) : sizeOf(value);
  return size > limit ? { fault: `must be at most ${limit / 1024} KB` } : { value };
};
