import { ok, refuse, type Result } from '../result.ts';
import { isCurrency } from '../values/currency.ts';
import { isExactNumber } from '../values/exact-number.ts';
import { parseUuid } from '../values/uuid.ts';
import { isWebUrl, WEB_URL_RULE } from '../values/url.ts';
import { parseDate, parseDateTime } from './calendar.ts';
import { MAX_ENTRY_JSON_BYTES, MAX_VALUE_BYTES, isReference, type FieldType } from './metaobject.ts';

type Parse = (value: unknown) => unknown;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A number, or a string of digits that a double keeps exactly (docs/specification/requests.md,
 * "Numbers, ids and times"). Otherwise null, also for -0, which would come back as 0.
 */
const parseNumber = (value: unknown, digits: RegExp): number | null => {
  const parsed = typeof value === 'string' && digits.test(value) && isExactNumber(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) && !Object.is(parsed, -0) ? parsed : null;
};
const decimal = (value: unknown): number | null => parseNumber(value, /^-?\d+(\.\d+)?$/);
const integer = (value: unknown): number | null => {
  const parsed = parseNumber(value, /^-?\d+$/);
  return Number.isSafeInteger(parsed) ? parsed : null;
};

const ofText =
  (parse: (text: string) => string | null): Parse =>
  (value) =>
    typeof value === 'string' ? parse(value) : null;
const matching = (pattern: RegExp): Parse => ofText((text) => (pattern.test(text) ? text : null));
const text = ofText((value) => value);

const money: Parse = (value) => {
  if (!isRecord(value) || Object.keys(value).some((key) => key !== 'amount' && key !== 'currencyCode')) return null;
  const amount = decimal(value['amount']);
  const currencyCode = value['currencyCode'];
  return amount !== null && typeof currencyCode === 'string' && isCurrency(currencyCode) ? { amount, currencyCode } : null;
};

/**
 * The parser of each type, which returns null for an invalid value, and the rule as a public text.
 */
const PARSERS: Readonly<Record<Exclude<FieldType, `${string}_reference`>, readonly [Parse, string]>> = {
  single_line_text: [matching(/^[^\n\r\u2028\u2029]*$/), 'must be a string without line breaks'],
  multi_line_text: [text, 'must be a string'],
  rich_text: [(value) => (isRecord(value) ? value : text(value)), 'must be a string or an object'],
  integer: [integer, 'must be an integer from -9007199254740991 to 9007199254740991, and zero has no sign'],
  decimal: [
    decimal,
    'must be a number that a 64-bit float keeps exactly: at most 15 significant digits always fit, and zero has no sign',
  ],
  boolean: [(value) => (typeof value === 'boolean' ? value : null), 'must be true or false'],
  date: [ofText(parseDate), 'must be a date (YYYY-MM-DD)'],
  date_time: [ofText(parseDateTime), 'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ)'],
  url: [ofText((value) => (isWebUrl(value) ? value : null)), WEB_URL_RULE],
  color: [matching(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i), 'must be a color (#rrggbb or #rrggbbaa)'],
  money: [money, 'must be {amount, currencyCode}: a number of at most 15 significant digits and a currency of ISO 4217'],
  json: [(value) => value, 'must be a JSON value other than null'],
};

const REFERENCE = [parseUuid, 'must be the id of a record (a UUID)'] as const;

const sizeOf = (type: FieldType, value: unknown): number =>
  bytesOf(typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value));

/**
 * Parses one value of the type: at most 64 KB of UTF-8, 128 KB for json. Null is not a value. The
 * refusal's message is a rule that follows the field's name.
 */
export const parseValue = (type: FieldType, input: unknown): Result<unknown, 'invalid'> => {
  const [parse, rule] = isReference(type) ? REFERENCE : PARSERS[type];
  const value = parse(input) ?? null;
  if (value === null) return refuse('invalid', rule);
  const limit = type === 'json' ? MAX_ENTRY_JSON_BYTES : MAX_VALUE_BYTES;
  return sizeOf(type, value) > limit ? refuse('invalid', `must have at most ${limit / 1024} KB`) : ok(value);
};
