import type { Cause } from '../../domain/cause.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { taxonomyClaims } from '../../domain/catalogue/taxonomy-claims.ts';
import { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { decideDocument, type DecisionContext } from './decide-document.ts';
import type { FilePart } from './file-part.ts';
import { identifyDocuments, lockIdentified, type IdentifiedDocument } from './identify-documents.ts';
import { repeatedProduct } from './repeated-product.ts';
import { slugClaims } from './slug-claims.ts';
import { insertProducts, replaceProducts } from './write-products.ts';

/** `updated` also when nothing changed. */
export interface SavedProduct {
  readonly outcome: 'created' | 'updated';
  readonly product: Product;
}

export type SaveResult = Result<SavedProduct, 'invalid'>;

/**
 * Saves the documents in order, in one transaction, with one result each. An invalid one fails
 * alone. Without `part` an absent field takes its default. In a part of a file an absent field
 * keeps its stored value, and a product may appear only once in the file.
 */
export type SaveProducts = (
  cause: Cause,
  storeId: string,
  documents: readonly ProductDocument[],
  part?: FilePart,
) => Promise<SaveResult[]>;

interface StoredTaxonomy {
  readonly taxonomy: Taxonomy;
  /** Whether the documents embed no category and no tax class that the store does not have. */
  readonly isWhole: boolean;
}

const readTaxonomy = async (
  tx: TransactionPorts,
  documents: readonly ProductDocument[],
  context: WriteContext,
): Promise<StoredTaxonomy> => {
  const claims = taxonomyClaims(documents);
  const [categories, taxClasses] = await Promise.all([
    tx.categories.find(context.storeId, claims.categories),
    tx.taxClasses.find(context.storeId, claims.taxClasses),
  ]);
  const taxonomy = new Taxonomy(categories, taxClasses, context);
  return { taxonomy, isWhole: taxonomy.hasAll(claims) };
};

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

interface Decided {
  /** The documents without the ids that they were given. */
  readonly given: readonly ProductDocument[];
  readonly part: FilePart | undefined;
  readonly lines: Map<string, number>;
  readonly results: SaveResult[];
}

/** Decides the documents in order, and yields the products. */
function* decideAll(
  identified: readonly IdentifiedDocument[],
  context: DecisionContext,
  { given, part, lines, results }: Decided,
): Generator<Product, void> {
  for (const [index, { document }] of identified.entries()) {
    const line = context.lineOf(document.id);
    const result =
      line === undefined
        ? decide(document, context)
        : refuse('invalid', repeatedProduct(given[index] ?? document, document.id, line));
    results.push(result);
    if (!result.ok) continue;
    if (part) lines.set(document.id, part.lines[index] ?? 0);
    yield result.value.product;
  }
  part?.onDecided?.();
}

/** Of a product that was decided more than once, the last. */
const lastOf = (decided: Iterable<Product>): Product[] => [
  ...new Map(Array.from(decided, (product) => [product.id, product])).values(),
];

interface Saved {
  readonly results: SaveResult[];
  /** The products with a former slug that the part has named. */
  readonly renamed: readonly string[];
}

/** The transaction may run again, so `part` changes only after it. */
const save = async (
  tx: TransactionPorts,
  given: readonly ProductDocument[],
  write: WriteContext,
  part: FilePart | undefined,
): Promise<Saved> => {
  const { storeId } = write;
  await tx.products.lockCatalogue(storeId);
  const [{ taxonomy, isWhole }, identified] = await Promise.all([
    readTaxonomy(tx, given, write),
    identifyDocuments(tx, given, write, part?.file.renamed ?? new Set()),
  ]);
  const before = await lockIdentified(tx, storeId, identified);
  const claims = slugClaims(
    identified.map(({ document }) => document),
    before,
  );
  const holders = new Map(await tx.bulkProducts.claimSlugs(storeId, claims));
  const lines = new Map<string, number>();
  const lineOf = (id: string): number | undefined => lines.get(id) ?? part?.file.imported.lineOf(id);
  const context: DecisionContext = { write, taxonomy, current: new Map(before), holders, lineOf };
  const results: SaveResult[] = [];
  const decided = decideAll(identified, context, { given, part, lines, results });
  // Each is written while the next ones are decided. No document changes it again: a product appears only once in a file.
  const areNew = part !== undefined && before.size === 0 && isWhole;
  const failures = areNew
    ? await insertProducts(tx, storeId, decided)
    : await replaceProducts(tx, lastOf(decided), { storeId, before, taxonomy });
  const renamed = part ? await tx.products.haveFormerSlugs(storeId, [...before.keys()]) : [];
  const written = results.map((result) => {
    const message = result.ok ? failures.get(result.value.product.id) : undefined;
    return message === undefined ? result : refuse('invalid', message);
  });
  return { results: written, renamed };
};

export const saveProducts =
  ({ clock, ids, transaction }: Pick<Ports, 'clock' | 'ids' | 'transaction'>): SaveProducts =>
  async (cause, storeId, documents, part) => {
    if (documents.length === 0) return [];
    const write = { storeId, nextId: () => ids.next(), now: isoTime(clock.now()), keepsStored: part !== undefined };
    const { results, renamed } = await transaction.run(cause, (tx) => save(tx, documents, write, part));
    for (const id of renamed) part?.file.renamed.add(id);
    for (const [index, result] of results.entries()) {
      if (result.ok) part?.file.imported.add(result.value.product.id, part.lines[index] ?? 0);
    }
    return results;
  };
