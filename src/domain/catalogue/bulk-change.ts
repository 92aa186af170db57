import { PRODUCT_STATUSES } from './product.ts';
import type { ProductStatus } from './product.ts';
import { MAX_SLUG_LENGTH, normaliseSlug } from './slug.ts';
import { isLongerThan, MAX_NAME_LENGTH, trimmed } from '../values/text.ts';

/** Why one product of a bulk update failed (decisions.md, Bulk update). */
export type BulkErrorCode =
  | 'product_not_found'
  | 'duplicate_in_request'
  | 'name_required'
  | 'field_too_long'
  | 'field_not_nullable'
  | 'invalid_value'
  | 'slug_invalid'
  | 'slug_taken'
  | 'category_not_found'
  | 'status_invalid'
  | 'status_not_allowed'
  | 'conflict'
  | 'internal_error';

/** BULK_MAX_PRODUCTS can be set to this much. */
export const MAX_BULK_PRODUCTS = 1_000;

/** What is wrong with the number of products in a request, as a public text; null when nothing. */
export const bulkCountFault = (count: number, max: number): string | null =>
  count >= 1 && count <= max ? null : `products must hold 1 to ${max} products`;

export interface ItemFailure {
  readonly errorCode: BulkErrorCode;
  readonly error: string;
}

/** What one element of the request asks for, read; what is left out stays unchanged. */
export interface ProductChange {
  name?: string;
  slug?: string;
  metaTitle?: string | null;
  metaDescription?: string | null;
  categoryId?: string | null;
  status?: ProductStatus;
}

/** One element of the request as it came: an id, and fields that are judged one by one. */
export interface RawChange {
  readonly id: string;
  readonly [field: string]: unknown;
}

const failure = (errorCode: BulkErrorCode, error: string): { failure: ItemFailure } => ({ failure: { errorCode, error } });

type Read<T> = { value: T } | { failure: ItemFailure };

const text = (field: string, value: unknown, max: number): Read<string> => {
  if (value === null) return failure('field_not_nullable', `${field} cannot be null`);
  if (typeof value !== 'string') return failure('invalid_value', `${field} must be a string`);
  if (isLongerThan(value, max)) return failure('field_too_long', `${field} has more than ${String(max)} characters`);
  return { value };
};

const name = (value: unknown): Read<string> => {
  const read = text('name', typeof value === 'string' ? trimmed(value) : value, MAX_NAME_LENGTH);
  return 'value' in read && read.value === '' ? failure('name_required', 'name cannot be empty') : read;
};

const slug = (value: unknown): Read<string> => {
  if (value === null) return failure('field_not_nullable', 'slug cannot be null');
  if (typeof value !== 'string') return failure('invalid_value', 'slug must be a string');
  const normalised = normaliseSlug(value);
  if (normalised === null) return failure('slug_invalid', 'slug has no letter or digit that a slug can hold');
  if (normalised.length > MAX_SLUG_LENGTH)
    return failure('field_too_long', `slug has more than ${String(MAX_SLUG_LENGTH)} characters`);
  return { value: normalised };
};

const clearable =
  (field: string, max: number) =>
  (value: unknown): Read<string | null> => {
    const read = text(field, value, max);
    return 'value' in read && read.value === '' ? { value: null } : read;
  };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const categoryId = (value: unknown): Read<string | null> => {
  if (value === null) return { value: null };
  if (typeof value !== 'string' || !UUID.test(value)) return failure('invalid_value', 'categoryId must be a UUID or null');
  return { value: value.toLowerCase() };
};

const status = (value: unknown): Read<ProductStatus> => {
  if (value === null) return failure('field_not_nullable', 'status cannot be null');
  if (typeof value !== 'string') return failure('invalid_value', 'status must be a string');
  const found = PRODUCT_STATUSES.find((known) => known.toLowerCase() === value.toLowerCase());
  return found ? { value: found } : failure('status_invalid', `status must be one of ${PRODUCT_STATUSES.join(', ')}`);
};

const readers = {
  name,
  slug,
  metaTitle: clearable('metaTitle', 255),
  metaDescription: clearable('metaDescription', 1000),
  categoryId,
  status,
} as const;

const readChange = (raw: RawChange): { change: ProductChange } | { failure: ItemFailure } => {
  const change: Record<string, unknown> = {};
  for (const [field, read] of Object.entries(readers)) {
    if (!Object.hasOwn(raw, field)) continue;
    const result = read(raw[field]);
    if ('failure' in result) return result;
    change[field] = result.value;
  }
  return { change };
};

/** One element of the request, read once for all that look at it. */
export type ReadChange = { readonly id: string } & ({ readonly change: ProductChange } | { readonly failure: ItemFailure });

/** Reads each element's fields; the first that is at fault fails the element. Unknown fields are ignored. */
export const readChanges = (raws: readonly RawChange[]): ReadChange[] => raws.map((raw) => ({ id: raw.id, ...readChange(raw) }));
