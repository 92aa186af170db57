import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { isExactNumber } from '../values/exact-number.ts';
import { MAX_INT32 } from '../values/int32.ts';
import { isLongerThan, lengthRule, trimmed } from '../values/text.ts';
import { parseUuid } from '../values/uuid.ts';
import { nothingRead, unreadMembers } from './ignored-members.ts';
import { isPrice, parsePrice, PRICE_RULE } from './price.ts';

/**
 * Reasons why a variant of a bulk update failed (docs/specification/catalogue.md, "Bulk update of
 * variants").
 */
export const VARIANT_ERROR_CODES = [
  'variant_not_found',
  'sku_ambiguous',
  'duplicate_in_request',
  'scope_missing',
  'field_not_nullable',
  'invalid_value',
  'stale',
  'would_be_negative',
  'warehouse_required',
] as const;
export type VariantErrorCode = (typeof VARIANT_ERROR_CODES)[number];

/** With this many, the longest possible answer to a request of 250 variants can be replayed. */
export const MAX_STOCK_CHANGES = 1_000;

/** Limit of the reason and the reference of a change of stock, in characters. */
export const MAX_STOCK_NOTE_LENGTH = 128;

/** Limit of all reasons and references of a request, in bytes of their JSON: the answer repeats them, and can still be replayed. */
export const MAX_STOCK_NOTES_BYTES = 24_576;

/** An element of the request as it arrived, with either an id or a SKU. */
export interface RawVariantChange {
  readonly id?: string | undefined;
  readonly sku?: string | undefined;
  readonly price?: unknown;
  readonly compareAtPrice?: unknown;
  readonly stock?: unknown;
  readonly [field: string]: unknown;
}

/** The stock of one warehouse is set or adjusted. A condition that is null is always met. */
export interface StockChange {
  /** Null where the request names no warehouse. */
  readonly warehouseId: string | null;
  readonly to: { readonly set: number } | { readonly adjust: number };
  readonly ifAvailable: number | null;
  readonly ifStamp: string | null;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** A parsed element of the request. An undefined price stays unchanged. */
export interface VariantChange {
  readonly price: number | undefined;
  readonly compareAtPrice: number | null | undefined;
  readonly stock: readonly StockChange[];
}

type Parsed<T> = Result<T, VariantErrorCode>;
type Raw = Readonly<Record<string, unknown>>;

const invalid = (message: string): Refusal<'invalid_value'> => refuse('invalid_value', message);

const parsePriceField = (value: unknown, field: string): Parsed<number> => {
  if (value === null) return refuse('field_not_nullable', `${field} cannot be null.`);
  const price = typeof value === 'string' ? parsePrice(value) : value;
  return typeof price === 'number' && isPrice(price) ? ok(price) : invalid(`${field} ${PRICE_RULE}.`);
};

/** An integer of 32 bits, also from a string of digits; null when it is not one. */
const integer = (value: unknown, min: number): number | null => {
  const isDigits = typeof value === 'string' && /^-?\d+$/.test(value) && isExactNumber(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= MAX_INT32 ? number : null;
};

const isGiven = (raw: Raw, field: string): boolean => Object.hasOwn(raw, field);
const isNullOrAbsent = (raw: Raw, field: string): boolean => !isGiven(raw, field) || raw[field] === null;

const parseTarget = (raw: Raw, place: string): Parsed<StockChange['to']> => {
  if (isGiven(raw, 'set') === isGiven(raw, 'adjust')) return invalid(`${place} must have either set or adjust.`);
  if (isGiven(raw, 'adjust')) {
    const adjust = integer(raw['adjust'], -MAX_INT32);
    return adjust === null ? invalid(`${place}.adjust must be a 32-bit integer.`) : ok({ adjust });
  }
  const set = integer(raw['set'], 0);
  if (set === null) return invalid(`${place}.set must be an integer of 0 to ${MAX_INT32}.`);
  const hasCondition = isGiven(raw, 'ifAvailable') || isGiven(raw, 'ifStamp');
  return hasCondition ? ok({ set }) : invalid(`${place} must have ifAvailable or ifStamp. Null sets the stock in any case.`);
};

/** A short text, or null where there is nothing. */
const parseNote = (value: unknown, place: string): Parsed<string | null> => {
  if (value === undefined || value === null) return ok(null);
  if (typeof value !== 'string') return invalid(`${place} must be a string or null.`);
  const text = trimmed(value);
  return isLongerThan(text, MAX_STOCK_NOTE_LENGTH)
    ? invalid(`${place} ${lengthRule(MAX_STOCK_NOTE_LENGTH)}.`)
    : ok(text === '' ? null : text);
};

const parseStock = (raw: unknown, place: string): Parsed<StockChange> => {
  if (typeof raw !== 'object' || raw === null) return invalid(`${place} must be an object.`);
  const fields = raw as Raw;
  const warehouseId = parseUuid(fields['warehouseId']);
  if (warehouseId === null && isGiven(fields, 'warehouseId')) return invalid(`${place}.warehouseId must be a UUID.`);
  const to = parseTarget(fields, place);
  if (!to.ok) return to;
  const ifAvailable = integer(fields['ifAvailable'], -MAX_INT32 - 1);
  if (ifAvailable === null && !isNullOrAbsent(fields, 'ifAvailable'))
    return invalid(`${place}.ifAvailable must be a 32-bit integer or null.`);
  const ifStamp = parseUuid(fields['ifStamp']);
  if (ifStamp === null && !isNullOrAbsent(fields, 'ifStamp')) return invalid(`${place}.ifStamp must be a UUID or null.`);
  const reason = parseNote(fields['reason'], `${place}.reason`);
  if (!reason.ok) return reason;
  const reference = parseNote(fields['reference'], `${place}.reference`);
  if (!reference.ok) return reference;
  return ok({ warehouseId, to: to.value, ifAvailable, ifStamp, reason: reason.value, reference: reference.value });
};

const parseStocks = (value: unknown): Parsed<StockChange[]> => {
  if (!Array.isArray(value)) return invalid('stock must be an array of objects.');
  const stocks: StockChange[] = [];
  for (const [index, raw] of value.entries()) {
    const parsed = parseStock(raw, `stock[${index}]`);
    if (!parsed.ok) return parsed;
    stocks.push(parsed.value);
  }
  return ok(stocks);
};

const CHANGEABLE = ['price', 'compareAtPrice', 'stock'] as const;
const READ = ['id', 'sku', ...CHANGEABLE];
const OF_STOCK = ['warehouseId', 'set', 'adjust', 'ifAvailable', 'ifStamp', 'reason', 'reference'] as const;

const unreadOf = (raw: RawVariantChange): string[] => {
  const stocks: readonly unknown[] = Array.isArray(raw.stock) ? raw.stock : [];
  return [
    ...unreadMembers(raw, READ),
    ...stocks.flatMap((stock, at) =>
      typeof stock === 'object' && stock !== null ? unreadMembers(stock as Raw, OF_STOCK, `stock[${at}].`) : [],
    ),
  ];
};

const parseChange = (raw: RawVariantChange, ignored: readonly string[]): Parsed<VariantChange> => {
  if (ignored.length > 0 && CHANGEABLE.every((field) => raw[field] === undefined)) return nothingRead(ignored, CHANGEABLE);
  const price = raw.price === undefined ? ok(undefined) : parsePriceField(raw.price, 'price');
  if (!price.ok) return price;
  const given = raw.compareAtPrice;
  const compareAtPrice = given === undefined || given === null ? ok(given) : parsePriceField(given, 'compareAtPrice');
  if (!compareAtPrice.ok) return compareAtPrice;
  const stock = raw.stock === undefined ? ok([]) : parseStocks(raw.stock);
  if (!stock.ok) return stock;
  return ok({ price: price.value, compareAtPrice: compareAtPrice.value, stock: stock.value });
};

export interface ParsedVariantChange extends Pick<RawVariantChange, 'id' | 'sku'> {
  readonly change: Parsed<VariantChange>;
  /** Names of members that nothing reads. */
  readonly ignored: readonly string[];
}

/**
 * Parses the fields of each element. The first invalid field fails its element. Unknown fields are named, and fail an element
 * that has no other.
 */
export const parseVariantChanges = (raws: readonly RawVariantChange[]): ParsedVariantChange[] =>
  raws.map((raw) => {
    const ignored = unreadOf(raw);
    return { id: raw.id, sku: raw.sku, change: parseChange(raw, ignored), ignored };
  });

const notesOf = (stock: unknown): string[] => {
  const { reason, reference } = (stock ?? {}) as Raw;
  return [reason, reference].filter((note) => typeof note === 'string');
};

/** Refuses a request with more changes of stock, or longer words about them, than an answer can have. */
export const checkStock = (raws: readonly RawVariantChange[]): Refusal<'invalid'> | null => {
  const lists = raws.flatMap(({ stock }) => (Array.isArray(stock) ? [stock as unknown[]] : []));
  // Counted before any of them is looked at: there may be a million.
  if (lists.reduce((sum, { length }) => sum + length, 0) > MAX_STOCK_CHANGES)
    return refuse('invalid', `stock must have at most ${MAX_STOCK_CHANGES} elements in all variants together.`);
  const notes = lists.flat().flatMap(notesOf);
  return notes.length === 0 || new TextEncoder().encode(JSON.stringify(notes)).length <= MAX_STOCK_NOTES_BYTES
    ? null
    : refuse('invalid', `reason and reference must have at most ${MAX_STOCK_NOTES_BYTES} bytes in all variants together.`);
};
