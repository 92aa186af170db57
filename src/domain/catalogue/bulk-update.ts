import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { ACTIVE_NEEDS_SLUG, ACTIVE_NEEDS_VARIANT } from './product-checks.ts';
import type { BulkErrorCode, ParsedChange, ProductChange } from './bulk-change.ts';
import { changedBulkFields, type BulkProduct, type BulkWrite } from './bulk-product.ts';
import { belongsTo, notInStore } from './owner-texts.ts';
import { ignoredInAnswer } from './ignored-members.ts';
import { derivedBase, deriveSlug } from './slug.ts';

export interface BulkResult {
  readonly id: string;
  readonly status: 'Updated' | 'Unchanged' | 'Failed';
  readonly slug: string | null;
  readonly previousSlug: string | null;
  readonly error: string | null;
  readonly errorCode: BulkErrorCode | null;
  /** Names of members of the element that were not read. Absent for none. */
  readonly ignored?: readonly string[];
}

export interface BulkResponse {
  readonly requested: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly slugsChanged: number;
  readonly results: readonly BulkResult[];
}

export interface BulkContext {
  /** The live products of the store among those named, by id. */
  readonly current: ReadonlyMap<string, BulkProduct>;
  /** The live product that has each claimed slug, by slug. */
  readonly holders: ReadonlyMap<string, string>;
  /** Named categories that exist. */
  readonly categories: ReadonlySet<string>;
  /** ISO 8601. */
  readonly now: string;
}

type Decision<T> = Result<T, BulkErrorCode>;

/**
 * An activation needs a variant and a slug. A missing slug is derived from the name. The first one
 * publishes.
 */
const activate = (product: BulkProduct, holders: ReadonlyMap<string, string>, now: string): Decision<BulkProduct> => {
  if (product.variantCount === 0) return refuse('status_not_allowed', ACTIVE_NEEDS_VARIANT);
  const publishedAt = product.publishedAt ?? now;
  if (product.slug !== null) return ok({ ...product, publishedAt });
  const base = derivedBase(product.name);
  if (base === null) return refuse('status_not_allowed', ACTIVE_NEEDS_SLUG);
  return ok({ ...product, publishedAt, slug: deriveSlug(base, (slug) => holders.has(slug)) });
};

const apply = (
  product: BulkProduct,
  change: ProductChange,
  { categories, now }: BulkContext,
  holders: ReadonlyMap<string, string>,
): Decision<BulkProduct> => {
  const { slug, categoryId } = change;
  const holder = slug === undefined ? undefined : holders.get(slug);
  if (slug !== undefined && holder !== undefined && holder !== product.id) {
    return refuse('slug_taken', belongsTo('slug', slug, `product ${holder}`));
  }
  if (categoryId && categoryId !== product.categoryId && !categories.has(categoryId)) {
    return refuse('category_not_found', notInStore('categoryId', categoryId));
  }
  const changed = { ...product, ...change };
  return changed.status === 'Active' && product.status !== 'Active' ? activate(changed, holders, now) : ok(changed);
};

const decide = (
  { id, change }: ParsedChange,
  context: BulkContext,
  holders: ReadonlyMap<string, string>,
): Decision<BulkWrite> => {
  const before = context.current.get(id);
  if (!before) return refuse('product_not_found', `Product ${id} does not exist in this store.`);
  if (!change.ok) return change;
  const after = apply(before, change.value, context, holders);
  return after.ok ? ok({ before, after: after.value }) : after;
};

const failed = (id: string, slug: string | null, { code, message }: Refusal<BulkErrorCode>): BulkResult => ({
  id,
  status: 'Failed',
  slug,
  previousSlug: null,
  error: message,
  errorCode: code,
});

const succeeded = (write: BulkWrite): BulkResult => ({
  id: write.after.id,
  status: changedBulkFields(write).length > 0 ? 'Updated' : 'Unchanged',
  slug: write.after.slug,
  previousSlug: write.before.slug === write.after.slug ? null : write.before.slug,
  error: null,
  errorCode: null,
});

const summary = (results: readonly BulkResult[], writes: readonly BulkWrite[]): BulkResponse => {
  const failures = results.filter(({ status }) => status === 'Failed').length;
  return {
    requested: results.length,
    succeeded: results.length - failures,
    failed: failures,
    slugsChanged: writes.filter(({ before, after }) => before.slug !== after.slug).length,
    results,
  };
};

/**
 * Decides a bulk update (docs/specification/catalogue.md, "Bulk update"). Products are handled in
 * request order, each all or nothing. A later product sees the slugs that earlier ones took and
 * gave up. Only changed products are written.
 */
export const bulkUpdate = (
  changes: readonly ParsedChange[],
  context: BulkContext,
): { response: BulkResponse; writes: BulkWrite[] } => {
  const holders = new Map(context.holders);
  const slugs = new Map<string, string | null>();
  const writes: BulkWrite[] = [];
  const withIgnored = ignoredInAnswer();
  const decideOne = (parsed: ParsedChange): BulkResult => {
    const { id } = parsed;
    const slug = slugs.get(id);
    if (slug !== undefined) {
      return failed(id, slug, refuse('duplicate_in_request', `Product ${id} appears more than once in this request.`));
    }
    const decided = decide(parsed, context, holders);
    slugs.set(id, decided.ok ? decided.value.after.slug : (context.current.get(id)?.slug ?? null));
    if (!decided.ok) return failed(id, slugs.get(id) ?? null, decided);
    const { before, after } = decided.value;
    if (before.slug !== after.slug) {
      if (before.slug !== null) holders.delete(before.slug);
      if (after.slug !== null) holders.set(after.slug, id);
    }
    const result = succeeded(decided.value);
    if (result.status === 'Updated') writes.push(decided.value);
    return result;
  };
  const results = changes.map((parsed) => withIgnored(decideOne(parsed), parsed.ignored));
  return { writes, response: summary(results, writes) };
};
