import { Fault } from '../domain/element.ts';
import type { Making } from '../domain/element.ts';
import type { Ports, TransactionPorts } from '../domain/ports/index.ts';
import { changedFields, completeProduct } from '../domain/product-document.ts';
import { productEvents } from '../domain/product-events.ts';
import type { Product, ProductDocument } from '../domain/product.ts';
import { derivedBase, deriveSlug, normaliseSlug } from '../domain/slug.ts';
import { Taxonomy, taxonomyClaims } from '../domain/taxonomy.ts';
import { isoTime } from '../domain/time.ts';
import { identifyDocuments } from './identify-documents.ts';

/** What became of one document: `updated` also when nothing changed. `message` is public and names the field. */
export type SavedDocument =
  | { readonly outcome: 'created' | 'updated'; readonly product: Product }
  | { readonly outcome: 'failed'; readonly message: string };

/**
 * Saves the documents in order, one transaction a call: one outcome each; a bad one fails alone. `met`, for the calls of one file, gathers
 * the products that it has named and that have a former slug: another document that names one by that slug means another product.
 */
export type SaveProducts = (
  storeId: string,
  documents: readonly ProductDocument[],
  met?: Set<string>,
) => Promise<SavedDocument[]>;

interface Context {
  readonly making: Making;
  readonly taxonomy: Taxonomy;
  /** As the documents so far leave them. */
  readonly current: Map<string, Product>;
  /** Who holds each slug, likewise. */
  readonly holders: Map<string, string>;
}

/** An explicit clash is an error, never a suffix; an Active product without a slug gets one from its name (decisions.md, Slug). */
const withSlug = (product: Product, { holders }: Context): Product | string => {
  const isTaken = (slug: string): boolean => (holders.get(slug) ?? product.id) !== product.id;
  if (product.slug !== null) {
    return isTaken(product.slug) ? `slug: ${product.slug} is taken by product ${String(holders.get(product.slug))}` : product;
  }
  if (product.status !== 'Active') return product;
  const base = derivedBase(product.name);
  return base === null
    ? 'slug: an Active product needs one, and its name gives none'
    : { ...product, slug: deriveSlug(base, isTaken) };
};

/** The whole product that a document makes, or what is wrong with it. */
const decide = (document: ProductDocument, context: Context): Product | string => {
  const { making, taxonomy, current } = context;
  let resolved: ProductDocument;
  try {
    resolved = taxonomy.resolve(document);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  const completed = completeProduct(resolved, { ...making, current: current.get(document.id ?? '') ?? null });
  if (!completed.ok) return completed.message;
  const product = withSlug(completed.value, context);
  if (typeof product === 'string') return product;
  return { ...product, category: taxonomy.category(product.categoryId), taxClass: taxonomy.taxClass(product.taxClassId) };
};

const slugClaims = (documents: readonly ProductDocument[]) => ({
  slugs: documents.flatMap(({ slug }) => (slug && normaliseSlug(slug)) ?? []).filter((slug) => slug !== ''),
  bases: documents.flatMap(({ slug, status, name }) => (!slug && status === 'Active' && derivedBase(name)) || []),
});

const readTaxonomy = async (tx: TransactionPorts, documents: readonly ProductDocument[], making: Making): Promise<Taxonomy> => {
  const claims = taxonomyClaims(documents);
  return new Taxonomy(
    await tx.categories.find(making.storeId, claims.categories),
    await tx.taxClasses.find(making.storeId, claims.taxClasses),
    making,
  );
};

const save = async (
  tx: TransactionPorts,
  given: readonly ProductDocument[],
  making: Making,
  met: Set<string>,
): Promise<SavedDocument[]> => {
  const { storeId } = making;
  await tx.products.lockCatalogue(storeId);
  const taxonomy = await readTaxonomy(tx, given, making);
  const identified = await identifyDocuments(tx, given, making, met);
  const documents = identified.map(({ document }) => document);
  const known = new Set(identified.flatMap(({ document, isNew }) => (isNew ? [] : [document.id])));
  const before = new Map((await tx.products.lock(storeId, [...known])).map((product) => [product.id, product]));
  const holders = new Map(await tx.bulkProducts.claimSlugs(storeId, slugClaims(documents)));
  const context: Context = { making, taxonomy, current: new Map(before), holders };
  const outcomes = documents.map((document): SavedDocument => {
    const old = context.current.get(document.id);
    const product = decide(document, context);
    if (typeof product === 'string') return { outcome: 'failed', message: product };
    if (old?.slug != null) holders.delete(old.slug);
    if (product.slug !== null) holders.set(product.slug, product.id);
    context.current.set(product.id, product);
    return { outcome: old && !old.isDeleted ? 'updated' : 'created', product };
  });
  const written = [...context.current.values()].filter((product) => {
    const old = before.get(product.id);
    return product !== old && (!old || old.isDeleted || changedFields(old, product).length > 0);
  });
  await tx.categories.save(storeId, taxonomy.newCategories);
  await tx.taxClasses.save(storeId, taxonomy.newTaxClasses);
  const failures = await tx.products.save(storeId, written);
  for (const id of await tx.products.haveFormerSlugs(storeId, [...before.keys()])) met.add(id);
  await tx.events.append(
    written.filter(({ id }) => !failures.has(id)).flatMap((product) => productEvents(before.get(product.id) ?? null, product)),
  );
  return outcomes.map((outcome) => {
    const message = outcome.outcome === 'failed' ? undefined : failures.get(outcome.product.id);
    return message === undefined ? outcome : { outcome: 'failed', message };
  });
};

export const saveProducts =
  ({ clock, ids, transaction }: Pick<Ports, 'clock' | 'ids' | 'transaction'>): SaveProducts =>
  async (storeId, documents, met = new Set()) => {
    if (documents.length === 0) return [];
    const making = { storeId, nextId: () => ids.next(), now: isoTime(clock.now()) };
    return transaction.run((tx) => save(tx, documents, making, met));
  };
