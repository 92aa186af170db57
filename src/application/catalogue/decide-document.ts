import { belongsTo } from '../../domain/catalogue/owner-texts.ts';
import { ACTIVE_NEEDS_SLUG } from '../../domain/catalogue/product-checks.ts';
import { completeProduct } from '../../domain/catalogue/product-document.ts';
import type { ProductDocument, Product } from '../../domain/catalogue/product.ts';
import { derivedBase, deriveSlug } from '../../domain/catalogue/slug.ts';
import type { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { namedSlug } from './identify-documents.ts';
import type { SlugHolders } from './slug-holders.ts';

const slugInFile = (slug: string, line: number): string => `slug ${slug} is already used in line ${line} of this file.`;

export const repeatedProduct = (document: ProductDocument, productId: string, line: number): string => {
  const slug = namedSlug(document);
  return slug === null ? `Product ${productId} is already in line ${line} of this file.` : slugInFile(slug, line);
};

export interface DecisionContext {
  readonly write: WriteContext;
  readonly taxonomy: Taxonomy;
  /** The products by id, after the documents decided so far. */
  readonly current: Map<string, Product>;
  readonly holders: SlugHolders;
  readonly lineOf: (id: string) => number | undefined;
}

type Decision = Result<Product, 'invalid'>;

const claimSlug = (product: Product, slug: string, { holders, lineOf }: DecisionContext): Decision => {
  const holder = holders.get(slug);
  if (holder === undefined || holder === product.id) return ok(product);
  const line = lineOf(holder);
  return refuse('invalid', line === undefined ? belongsTo('slug', slug, `product ${holder}`) : slugInFile(slug, line));
};

/**
 * A given slug that another product has is refused. A missing one is derived from an Active
 * product's name (docs/specification/catalogue.md, "Slugs").
 */
const withSlug = (product: Product, context: DecisionContext): Decision => {
  if (product.slug !== null) return claimSlug(product, product.slug, context);
  if (product.status !== 'Active') return ok(product);
  const base = derivedBase(product.name);
  if (base === null) return refuse('invalid', ACTIVE_NEEDS_SLUG);
  const slug = deriveSlug(base, (tried) => (context.holders.get(tried) ?? product.id) !== product.id);
  return ok({ ...product, slug });
};

/**
 * The record that was looked up. An unchanged one was not, so it comes from the current product.
 */
const linked = <T extends { readonly id: string }>(found: T | null, current: T | null, id: string | null): T | null =>
  found ?? (current?.id === id ? current : null);

export const decideDocument = (document: ProductDocument & { readonly id: string }, context: DecisionContext): Decision => {
  const { write, taxonomy } = context;
  const resolved = taxonomy.resolve(document);
  if (!resolved.ok) return resolved;
  const current = context.current.get(document.id) ?? null;
  const completed = completeProduct(resolved.value, { ...write, current });
  if (!completed.ok) return completed;
  const decided = withSlug(completed.value, context);
  if (!decided.ok) return decided;
  const { categoryId, taxClassId } = decided.value;
  const category = linked(taxonomy.category(categoryId), current?.category ?? null, categoryId);
  const taxClass = linked(taxonomy.taxClass(taxClassId), current?.taxClass ?? null, taxClassId);
  return ok({ ...decided.value, category, taxClass });
};
