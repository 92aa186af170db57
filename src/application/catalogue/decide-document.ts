import { Fault } from '../../domain/catalogue/element.ts';
import type { Making } from '../../domain/catalogue/element.ts';
import { completeProduct } from '../../domain/catalogue/product-document.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { derivedBase, deriveSlug } from '../../domain/catalogue/slug.ts';
import type { Taxonomy } from '../../domain/catalogue/taxonomy.ts';

/** What a document is decided by. */
export interface DecisionContext {
  readonly making: Making;
  readonly taxonomy: Taxonomy;
  /** The products as the documents so far leave them, by id. */
  readonly current: Map<string, Product>;
  /** Who holds each slug, likewise. */
  readonly holders: Map<string, string>;
  /** The line of the same file that has the product of this id already. */
  readonly lineOf: (id: string) => number | undefined;
}

/** Why a slug cannot be had; null when it can. */
const slugFault = (slug: string, id: string, { holders, lineOf }: DecisionContext): string | null => {
  const holder = holders.get(slug);
  if (holder === undefined || holder === id) return null;
  const line = lineOf(holder);
  return line === undefined ? `slug: ${slug} is taken by product ${holder}` : slugInUse(slug, line);
};

export const slugInUse = (slug: string, line: number): string => `slug: ${slug} is already used in line ${line} of this file`;

/** An explicit clash is an error, never a suffix; an Active product without a slug gets one from its name (decisions.md, Slug). */
const withSlug = (product: Product, context: DecisionContext): Product | string => {
  if (product.slug !== null) return slugFault(product.slug, product.id, context) ?? product;
  if (product.status !== 'Active') return product;
  const base = derivedBase(product.name);
  if (base === null) return 'slug: an Active product needs a slug, and its name gives none';
  return { ...product, slug: deriveSlug(base, (slug) => (context.holders.get(slug) ?? product.id) !== product.id) };
};

/** The whole product that a document makes, or what is wrong with it. */
export const decideDocument = (
  document: ProductDocument & { readonly id: string },
  context: DecisionContext,
): Product | string => {
  const { making, taxonomy } = context;
  let resolved: ProductDocument;
  try {
    resolved = taxonomy.resolve(document);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  const current = context.current.get(document.id) ?? null;
  const completed = completeProduct(resolved, { ...making, current });
  if (!completed.ok) return completed.message;
  const product = withSlug(completed.value, context);
  if (typeof product === 'string') return product;
  // What a document leaves as it is has not been looked up.
  const stored = <T extends { readonly id: string }>(found: T | null | undefined, id: string | null): T | null =>
    found && found.id === id ? found : null;
  return {
    ...product,
    category: taxonomy.category(product.categoryId) ?? stored(current?.category, product.categoryId),
    taxClass: taxonomy.taxClass(product.taxClassId) ?? stored(current?.taxClass, product.taxClassId),
  };
};
