import type { Making } from '../../domain/catalogue/element.ts';
import type { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { changedFields } from '../../domain/catalogue/product-document.ts';
import { productEvents } from '../../domain/catalogue/product-events.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { derivedBase, normaliseSlug } from '../../domain/catalogue/slug.ts';
import { Taxonomy, taxonomyClaims } from '../../domain/catalogue/taxonomy.ts';
import { isoTime } from '../../domain/time.ts';
import { decideDocument, slugInUse } from './decide-document.ts';
import type { DecisionContext } from './decide-document.ts';
import { identifyDocuments } from './identify-documents.ts';

/** What became of one document: `updated` also when nothing changed. `message` is public and names the field. */
export type SavedDocument =
  | { readonly outcome: 'created' | 'updated'; readonly product: Product }
  | { readonly outcome: 'failed'; readonly message: string };

/** A part of an imported file. */
export interface FilePart {
  /** The line of each document. */
  readonly lines: readonly number[];
  /** What the parts of the file before this one have; this part's products are added once they are saved. */
  readonly file: {
    readonly imported: ImportedLines;
    /** The products that the file has named and that have a former slug: another document that names one by that slug means another product. */
    readonly met: Set<string>;
  };
}

/**
 * Saves the documents in order, one transaction a call: one outcome each; a bad one fails alone. Without `part` each document is the product,
 * whole: an absent field takes its default. As a part of a file, an absent field leaves what is stored, and each product comes once in the file.
 */
export type SaveProducts = (storeId: string, documents: readonly ProductDocument[], part?: FilePart) => Promise<SavedDocument[]>;

/** The slugs that the documents name, and the bases of those that may be derived: of an Active product that has none. */
const slugClaims = (documents: readonly ProductDocument[], stored: ReadonlyMap<string, Product>) => ({
  slugs: documents.flatMap(({ slug }) => (slug && normaliseSlug(slug)) ?? []).filter((slug) => slug !== ''),
  bases: documents.flatMap(({ id, slug, status, name }) => {
    const before = stored.get(id ?? '');
    const needsSlug = (status ?? before?.status) === 'Active' && !(slug === undefined ? before?.slug : slug);
    return (needsSlug && derivedBase(name)) || [];
  }),
});

/** Why a document cannot be saved when a line of the same file has its product already. */
const repeats = ({ id, slug }: ProductDocument, productId: string, line: number): string =>
  id === undefined && slug
    ? slugInUse(normaliseSlug(slug) ?? slug, line)
    : `id: product ${productId} is already in line ${line} of this file`;

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
  part: FilePart | undefined,
): Promise<SavedDocument[]> => {
  const { storeId } = making;
  await tx.products.lockCatalogue(storeId);
  const taxonomy = await readTaxonomy(tx, given, making);
  const identified = await identifyDocuments(tx, given, making, part?.file.met ?? new Set());
  const documents = identified.map(({ document }) => document);
  const known = new Set(identified.flatMap(({ document, isNew }) => (isNew ? [] : [document.id])));
  const before = new Map((await tx.products.lock(storeId, [...known])).map((product) => [product.id, product]));
  const holders = new Map(await tx.bulkProducts.claimSlugs(storeId, slugClaims(documents, before)));
  const lines = new Map<string, number>();
  const lineOf = (id: string): number | undefined => lines.get(id) ?? part?.file.imported.lineOf(id);
  const context: DecisionContext = { making, taxonomy, current: new Map(before), holders, lineOf };
  const outcomes = documents.map((document, at): SavedDocument => {
    const line = lineOf(document.id);
    if (line !== undefined) return { outcome: 'failed', message: repeats(given[at] ?? document, document.id, line) };
    const old = context.current.get(document.id);
    const product = decideDocument(document, context);
    if (typeof product === 'string') return { outcome: 'failed', message: product };
    if (old?.slug != null) holders.delete(old.slug);
    if (product.slug !== null) holders.set(product.slug, product.id);
    context.current.set(product.id, product);
    if (part) lines.set(product.id, part.lines[at] ?? 0);
    return { outcome: old && !old.isDeleted ? 'updated' : 'created', product };
  });
  const written = [...context.current.values()].filter((product) => {
    const old = before.get(product.id);
    return product !== old && (!old || old.isDeleted || changedFields(old, product).length > 0);
  });
  await tx.categories.save(storeId, taxonomy.newCategories);
  await tx.taxClasses.save(storeId, taxonomy.newTaxClasses);
  const failures = await tx.products.save(storeId, written);
  if (part) {
    for (const id of await tx.products.haveFormerSlugs(storeId, [...before.keys()])) part.file.met.add(id);
  }
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
  async (storeId, documents, part) => {
    if (documents.length === 0) return [];
    const making = { storeId, nextId: () => ids.next(), now: isoTime(clock.now()), keepsStored: part !== undefined };
    const saved = await transaction.run((tx) => save(tx, documents, making, part));
    saved.forEach((one, at) => {
      if (one.outcome !== 'failed') part?.file.imported.add(one.product.id, part.lines[at] ?? 0);
    });
    return saved;
  };
