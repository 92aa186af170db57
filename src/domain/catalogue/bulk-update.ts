import type { ItemFailure, ProductChange, ReadChange } from './bulk-change.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { ProductStatus } from './product.ts';
import { derivedBase, deriveSlug } from './slug.ts';

/** What a bulk update can change of a product, with what its rules look at. */
export interface BulkProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly categoryId: string | null;
  readonly status: ProductStatus;
  readonly publishedAt: string | null;
  readonly variantCount: number;
}

export interface BulkResult {
  readonly id: string;
  readonly status: 'Updated' | 'Unchanged' | 'Failed';
  readonly slug: string | null;
  readonly previousSlug: string | null;
  readonly error: string | null;
  readonly errorCode: string | null;
}

export interface BulkResponse {
  readonly requested: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly slugsChanged: number;
  readonly results: readonly BulkResult[];
}

/** A product before and after: what is to be written. */
export interface BulkWrite {
  readonly before: BulkProduct;
  readonly after: BulkProduct;
}

export interface BulkContext {
  /** The live products of the store among those named, by id. */
  readonly current: ReadonlyMap<string, BulkProduct>;
  /** Who holds each slug that was claimed, among the store's live products. */
  readonly holders: ReadonlyMap<string, string>;
  /** The categories that exist, among those named. */
  readonly categories: ReadonlySet<string>;
  /** ISO 8601. */
  readonly now: string;
}

const fail = (errorCode: ItemFailure['errorCode'], error: string): ItemFailure => ({ errorCode, error });

/** Entering Active needs a variant and a slug, derived from the name when there is none; the first time publishes. */
const activate = (product: BulkProduct, holders: ReadonlyMap<string, string>, now: string): BulkProduct | ItemFailure => {
  if (product.variantCount === 0) return fail('status_not_allowed', 'a product needs a variant to become Active');
  const publishedAt = product.publishedAt ?? now;
  if (product.slug !== null) return { ...product, publishedAt };
  const base = derivedBase(product.name);
  if (base === null) return fail('status_not_allowed', 'a product needs a slug to become Active, and its name gives none');
  return { ...product, publishedAt, slug: deriveSlug(base, (slug) => holders.has(slug)) };
};

const apply = (
  product: BulkProduct,
  change: ProductChange,
  { categories, now }: BulkContext,
  holders: ReadonlyMap<string, string>,
): BulkProduct | ItemFailure => {
  const holder = change.slug === undefined ? undefined : holders.get(change.slug);
  if (holder !== undefined && holder !== product.id) {
    return fail('slug_taken', `slug ${String(change.slug)} is taken by product ${holder}`);
  }
  if (change.categoryId && change.categoryId !== product.categoryId && !categories.has(change.categoryId)) {
    return fail('category_not_found', `category ${change.categoryId} does not exist in this store`);
  }
  const changed = { ...product, ...change };
  return changed.status === 'Active' && product.status !== 'Active' ? activate(changed, holders, now) : changed;
};

const FIELDS = ['name', 'slug', 'metaTitle', 'metaDescription', 'categoryId', 'status', 'publishedAt'] as const;

/** The names of the fields in which two states of a product differ. */
const changedFields = ({ before, after }: BulkWrite): (typeof FIELDS)[number][] =>
  FIELDS.filter((field) => before[field] !== after[field]);

const failed = (id: string, slug: string | null, { error, errorCode }: ItemFailure): BulkResult => ({
  id,
  status: 'Failed',
  slug,
  previousSlug: null,
  error,
  errorCode,
});

const succeeded = (write: BulkWrite): BulkResult => ({
  id: write.after.id,
  status: changedFields(write).length > 0 ? 'Updated' : 'Unchanged',
  slug: write.after.slug,
  previousSlug: write.before.slug === write.after.slug ? null : write.before.slug,
  error: null,
  errorCode: null,
});

const decide = (read: ReadChange, context: BulkContext, holders: ReadonlyMap<string, string>): BulkWrite | ItemFailure => {
  const before = context.current.get(read.id);
  if (!before) return fail('product_not_found', `product ${read.id} does not exist in this store`);
  if ('failure' in read) return read.failure;
  const after = apply(before, read.change, context, holders);
  return 'errorCode' in after ? after : { before, after };
};

/**
 * Decides a bulk update from values alone (decisions.md, Bulk update): products in request order, each all or nothing, later ones
 * seeing the slugs that earlier ones took and gave up. Returns the answer and what is to be written, only what changed.
 */
export const bulkUpdate = (
  changes: readonly ReadChange[],
  context: BulkContext,
): { response: BulkResponse; writes: BulkWrite[] } => {
  const holders = new Map(context.holders);
  const seen = new Set<string>();
  const writes: BulkWrite[] = [];
  const results = changes.map((read): BulkResult => {
    const { id } = read;
    const slug = context.current.get(id)?.slug ?? null;
    if (seen.has(id)) {
      const now = writes.find((write) => write.after.id === id)?.after.slug ?? slug;
      return failed(id, now, fail('duplicate_in_request', `product ${id} stands in this request twice`));
    }
    seen.add(id);
    const decided = decide(read, context, holders);
    if ('errorCode' in decided) return failed(id, slug, decided);
    const { before, after } = decided;
    const result = succeeded(decided);
    if (result.status === 'Updated') writes.push(decided);
    if (before.slug !== after.slug) {
      if (before.slug !== null) holders.delete(before.slug);
      if (after.slug !== null) holders.set(after.slug, after.id);
    }
    return result;
  });
  const failures = results.filter((result) => result.status === 'Failed').length;
  return {
    writes,
    response: {
      requested: changes.length,
      succeeded: changes.length - failures,
      failed: failures,
      slugsChanged: writes.filter(({ before, after }) => before.slug !== after.slug).length,
      results,
    },
  };
};

const pick = (product: BulkProduct, fields: readonly (keyof BulkProduct)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, product[field]]));

/** The product.updated event of one write; origin is the installation that made the change. */
export const updatedEvent = (storeId: string, origin: string, write: BulkWrite): NewEvent => {
  const fields = changedFields(write);
  const { id } = write.after;
  return {
    storeId,
    type: 'product.updated',
    resourceId: id,
    origin,
    data: { id, changedFields: fields, previous: pick(write.before, fields), current: pick(write.after, fields), origin },
  };
};
