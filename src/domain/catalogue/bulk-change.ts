import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { isLongerThan, lengthRule, trimmed } from '../values/text.ts';
import { parseUuid } from '../values/uuid.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { nothingRead, unreadMembers } from './ignored-members.ts';
import { PRODUCT_STATUSES, type ProductStatus } from './product.ts';
import { parseSlug } from './slug.ts';

/** Reasons why a product of a bulk update failed (docs/specification/catalogue.md, "Bulk update"). */
export const BULK_ERROR_CODES = [
  'product_not_found',
  'duplicate_in_request',
  'name_required',
  'field_too_long',
  'field_not_nullable',
  'invalid_value',
  'slug_invalid',
  'slug_taken',
  'category_not_found',
  'status_invalid',
  'status_not_allowed',
  'conflict',
  'internal_error',
] as const;
export type BulkErrorCode = (typeof BULK_ERROR_CODES)[number];

/** The highest value of BULK_MAX_PRODUCTS, which counts for variants too. */
export const MAX_BULK_PRODUCTS = 1_000;

/** Subject of a bulk update, and the name of the list in its request. */
export type BulkList = 'products' | 'variants';

/** Refuses a request with no element or with more than `max`. */
export const checkBulkCount = (list: BulkList, count: number, max: number): Refusal<'invalid'> | null =>
  count >= 1 && count <= max ? null : refuse('invalid', `${list} must have 1 to ${max} elements.`);

/** A parsed element of the request. An absent field stays unchanged. */
export interface ProductChange {
  name?: string;
  slug?: string;
  metaTitle?: string | null;
  metaDescription?: string | null;
  categoryId?: string | null;
  status?: ProductStatus;
}

/** An element of the request as it arrived: an id, and fields that are parsed separately. */
export interface RawChange {
  readonly id: string;
  readonly [field: string]: unknown;
}

type Parsed<T> = Result<T, BulkErrorCode>;
type Parser = (value: unknown, field: string) => Parsed<string | null>;

const notNullable = (field: string) => refuse('field_not_nullable', `${field} cannot be null.`);
const notText = (field: string) => refuse('invalid_value', `${field} must be a string.`);

const parseText = (value: unknown, field: string, max: number): Parsed<string> => {
  if (value === null) return notNullable(field);
  if (typeof value !== 'string') return notText(field);
  return isLongerThan(value, max) ? refuse('field_too_long', `${field} ${lengthRule(max)}.`) : ok(value);
};

const name: Parser = (value, field) => {
  const parsed = parseText(typeof value === 'string' ? trimmed(value) : value, field, PRODUCT.fields.name.max);
  return parsed.ok && parsed.value === '' ? refuse('name_required', `${field} cannot be empty.`) : parsed;
};

const slug: Parser = (value, field) => {
  if (value === null) return notNullable(field);
  return typeof value === 'string' ? parseSlug(value, field) : notText(field);
};

const emptyClears =
  (max: number): Parser =>
  (value, field) => {
    const parsed = parseText(value, field, max);
    return parsed.ok && parsed.value === '' ? ok(null) : parsed;
  };

const categoryId: Parser = (value, field) => {
  if (value === null) return ok(null);
  const id = parseUuid(value);
  return id === null ? refuse('invalid_value', `${field} must be a UUID or null.`) : ok(id);
};

const status: Parser = (value, field) => {
  if (value === null) return notNullable(field);
  if (typeof value !== 'string') return notText(field);
  const found = PRODUCT_STATUSES.find((known) => known.toLowerCase() === value.toLowerCase());
  return found ? ok(found) : refuse('status_invalid', `${field} must be one of ${PRODUCT_STATUSES.join(', ')}.`);
};

const PARSERS: Readonly<Record<keyof ProductChange, Parser>> = {
  name,
  slug,
  metaTitle: emptyClears(PRODUCT.fields.metaTitle.max),
  metaDescription: emptyClears(PRODUCT.fields.metaDescription.max),
  categoryId,
  status,
};

const CHANGEABLE = Object.keys(PARSERS);
const READ = ['id', ...CHANGEABLE];

const parseChange = (raw: RawChange, ignored: readonly string[]): Parsed<ProductChange> => {
  if (ignored.length > 0 && !CHANGEABLE.some((field) => Object.hasOwn(raw, field))) return nothingRead(ignored, CHANGEABLE);
  const change: Record<string, string | null> = {};
  for (const [field, parse] of Object.entries(PARSERS)) {
    if (!Object.hasOwn(raw, field)) continue;
    const parsed = parse(raw[field], field);
    if (!parsed.ok) return parsed;
    change[field] = parsed.value;
  }
  return ok(change);
};

export interface ParsedChange {
  readonly id: string;
  readonly change: Parsed<ProductChange>;
  /** Names of members that nothing reads. */
  readonly ignored: readonly string[];
}

/**
 * Parses the fields of each element. The first invalid field fails its element. Unknown fields are
 * named, and fail an element that has no other.
 */
export const parseChanges = (raws: readonly RawChange[]): ParsedChange[] =>
  raws.map((raw) => {
    const ignored = unreadMembers(raw, READ);
    return { id: raw.id, change: parseChange(raw, ignored), ignored };
  });
