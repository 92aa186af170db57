import { changedFields } from '../../domain/catalogue/changed-fields.ts';
import { productEvents } from '../../domain/catalogue/product-events.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { taxonomyClaims } from '../../domain/catalogue/taxonomy-claims.ts';
import { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { decideDocument } from './decide-document.ts';
import type { DecisionContext } from './decide-document.ts';
import type { FilePart } from './file-part.ts';
import { identifyDocuments, lockIdentified } from './identify-documents.ts';
import { repeatedProduct } from './repeated-product.ts';
import { slugClaims } from './slug-claims.ts';

/** `updated` also when nothing changed. */
export interface SavedProduct {
  readonly outcome: 'created' | 'updated';
  readonly product: Product;
}

/** What became of one document. */
export type SaveResult = Result<SavedProduct, 'invalid'>;

/**
 * Saves the documents in order, in one transaction, with one result each. An invalid one fails
 * alone. Without `part` an absent field takes its default. In a part of a file an absent field
 * keeps its stored value, and a product may appear only once in the file.
 */
export type SaveProducts = (storeId: string, documents: readonly ProductDocument[], part?: FilePart) => Promise<SaveResult[]>;

const readTaxonomy = async (
  tx: TransactionPorts,
  documents: readonly ProductDocument[],
  context: WriteContext,
): Promise<Taxonomy> => {
  const claims = taxonomyClaims(documents);
  const categories = await tx.categories.find(context.storeId, claims.categories);
  const taxClasses = await tx.taxClasses.find(context.storeId, claims.taxClasses);
  return new Taxonomy(categories, taxClasses, context);
};

/** Decides one document. The next ones see its product and the slugs that it took and gave up. */
const decide = (document: ProductDocument & { readonly id: string }, context: DecisionContext): SaveResult => {
  const { current, holders } = context;
  const before = current.get(document.id);
  const decided = decideDocument(document, context);
  if (!decided.ok) return decided;
  const product = decided.value;
  if (before?.slug != null) holders.delete(before.slug);
  if (product.slug !== null) holders.set(product.slug, product.id);
  current.set(product.id, product);
  return ok({ outcome: before && !before.isDeleted ? 'updated' : 'created', product });
};

const isWritten = (product: Product, before: Product | undefined): boolean =>
  !before || changedFields(before, product).length > 0;

const save = async (
  tx: TransactionPorts,
  given: readonly ProductDocument[],
  write: WriteContext,
  part: FilePart | undefined,
): Promise<SaveResult[]> => {
  const { storeId } = write;
  await tx.products.lockCatalogue(storeId);
  const taxonomy = await readTaxonomy(tx, given, write);
  const identified = await identifyDocuments(tx, given, write, part?.file.met ?? new Set());
  const before = await lockIdentified(tx, storeId, identified);
  const claims = slugClaims(
    identified.map(({ document }) => document),
    before,
  );
  const holders = new Map(await tx.bulkProducts.claimSlugs(storeId, claims));
  const lines = new Map<string, number>();
  const lineOf = (id: string): number | undefined => lines.get(id) ?? part?.file.imported.lineOf(id);
  const context: DecisionContext = { write, taxonomy, current: new Map(before), holders, lineOf };
  const results = identified.map(({ document }, index): SaveResult => {
    const line = lineOf(document.id);
    if (line !== undefined) return refuse('invalid', repeatedProduct(given[index] ?? document, document.id, line));
    const result = decide(document, context);
    if (part && result.ok) lines.set(document.id, part.lines[index] ?? 0);
    return result;
  });
  const written = [...context.current.values()].filter((product) => isWritten(product, before.get(product.id)));
  const { categories, taxClasses } = taxonomy.newOf(written);
  await tx.categories.save(storeId, categories);
  await tx.taxClasses.save(storeId, taxClasses);
  const failures = await tx.products.save(storeId, written);
  if (part) {
    for (const id of await tx.products.haveFormerSlugs(storeId, [...before.keys()])) part.file.met.add(id);
  }
  const saved = written.filter(({ id }) => !failures.has(id));
  await tx.events.append(saved.flatMap((product) => productEvents(before.get(product.id) ?? null, product)));
  return results.map((result) => {
    const message = result.ok ? failures.get(result.value.product.id) : undefined;
    return message === undefined ? result : refuse('invalid', message);
  });
};

export const saveProducts =
  ({ clock, ids, transaction }: Pick<Ports, 'clock' | 'ids' | 'transaction'>): SaveProducts =>
  async (storeId, documents, part) => {
    if (documents.length === 0) return [];
    const write = { storeId, nextId: () => ids.next(), now: isoTime(clock.now()), keepsStored: part !== undefined };
    const results = await transaction.run((tx) => save(tx, documents, write, part));
    for (const [index, result] of results.entries()) {
      if (result.ok) part?.file.imported.add(result.value.product.id, part.lines[index] ?? 0);
    }
    return results;
  };
