import type { SlugClaims } from '../../domain/catalogue/bulk-product.ts';
import { changedFields, productEvents } from '../../domain/catalogue/product-events.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { removalsOf, type Removals } from '../../domain/catalogue/removals.ts';
import { derivedBase, normaliseSlug } from '../../domain/catalogue/slug.ts';
import { taxonomyClaims } from '../../domain/catalogue/taxonomy-claims.ts';
import { categoryEvents, taxClassEvents } from '../../domain/catalogue/taxonomy-events.ts';
import { Taxonomy } from '../../domain/catalogue/taxonomy.ts';
import { warehouseNames, type WarehouseNames } from '../../domain/catalogue/warehouse.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { Cause } from '../../domain/cause.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { TransactionPorts, Ports } from '../../domain/ports/index.ts';
import type { Precondition } from '../../domain/reading.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { withDataJson, type NewEvent } from '../../domain/webhooks/event.ts';
import { decideDocument, type DecisionContext, repeatedProduct } from './decide-document.ts';
import type { FilePart } from './file-part.ts';
import { identifyDocuments, lockIdentified, type IdentifiedDocument } from './identify-documents.ts';
import { SlugHolders } from './slug-holders.ts';
import { type Unsaved, keepUnsaved } from './unsaved.ts';

/** A public message for each product that was not written, by product id. */
type Failures = ReadonlyMap<string, string>;

/**
 * Writes products that the store does not have, each while the ones after it are decided. The JSON
 * of the events is made meanwhile too.
 */
const insertProducts = async (
  tx: TransactionPorts,
  products: Iterable<Product>,
  { storeId, nameOf }: Pick<StoredProducts, 'storeId' | 'nameOf'>,
): Promise<Failures> => {
  const events = new Map<string, NewEvent[]>();
  const noting = function* (): Generator<Product, void> {
    for (const product of products) {
      events.set(product.id, productEvents(null, product, nameOf).map(withDataJson));
      yield product;
    }
  };
  const failures = await tx.products.insert(storeId, noting());
  for (const id of failures.keys()) events.delete(id);
  await tx.events.append([...events.values()].flat());
  return failures;
};

interface StoredProducts {
  readonly storeId: string;
  readonly before: ReadonlyMap<string, Product>;
  readonly taxonomy: Taxonomy;
  readonly nameOf: WarehouseNames;
}

/** Returns the products that the store lacks or has in another form. */
const changedOf = (products: readonly Product[], before: ReadonlyMap<string, Product>): Product[] =>
  products.filter((product) => {
    const stored = before.get(product.id);
    return !stored || changedFields(stored, product).length > 0;
  });

const replaceProducts = async (
  tx: TransactionPorts,
  changed: readonly Product[],
  { storeId, before, taxonomy, nameOf }: StoredProducts,
): Promise<Failures> => {
  const { categories, taxClasses } = taxonomy.newOf(changed);
  await tx.categories.save(storeId, categories);
  await tx.taxClasses.save(storeId, taxClasses);
  const failures = await tx.products.save(storeId, changed);
  const saved = changed.filter(({ id }) => !failures.has(id));
  const made = [
    ...categories.flatMap((category) => categoryEvents(null, category)),
    ...taxClasses.flatMap((taxClass) => taxClassEvents(null, taxClass)),
  ];
  await tx.events.append([
    ...made,
    ...saved.flatMap((product) => productEvents(before.get(product.id) ?? null, product, nameOf)),
  ]);
  return failures;
};

/** Keeps the last decision for each product. */
const lastOf = (decided: Iterable<Product>): Product[] => [
  ...new Map(Array.from(decided, (product) => [product.id, product])).values(),
];

interface Write extends StoredProducts {
  /** True for products that are not stored, nor is anything that they would make: they need no comparison. */
  readonly areNew: boolean;
  readonly isDryRun: boolean;
}

/** Returns what has changed; null where all are new. */
const writeDecided = async (tx: TransactionPorts, decided: Iterable<Product>, { areNew, isDryRun, ...stored }: Write) => {
  // Each is written while the next ones are decided. No document changes it again: a product appears only once in a file.
  if (areNew) return { changed: null, failures: await insertProducts(tx, decided, stored) };
  const changed = changedOf(lastOf(decided), stored.before);
  return { changed, failures: isDryRun ? new Map<string, string>() : await replaceProducts(tx, changed, stored) };
};

/**
 * The base of the slug that the document may derive: an Active product without a slug gets one from
 * its name.
 */
const baseOf = ({ slug, status, name }: ProductDocument, stored: Product | undefined): string | null => {
  const isActive = (status ?? stored?.status) === 'Active';
  const hasSlug = Boolean(slug === undefined ? stored?.slug : slug);
  return isActive && !hasSlug ? derivedBase(name) : null;
};

/** The slugs to lock and look up before the documents can be decided. */
export const slugClaims = (
  documents: readonly (ProductDocument & { readonly id: string })[],
  stored: ReadonlyMap<string, Product>,
): SlugClaims => ({
  slugs: documents.flatMap(({ slug }) => (slug ? (normaliseSlug(slug) ?? []) : [])),
  bases: documents.flatMap((document) => baseOf(document, stored.get(document.id)) ?? []),
});

interface StoredTaxonomy {
  readonly taxonomy: Taxonomy;
  /** False when the documents embed a category or a tax class that the store does not have. */
  readonly isWhole: boolean;
}

/** Reads what the documents name of the store's categories and tax classes. The taxonomy is made when there is a time to write with. */
const readTaxonomy = async (
  tx: TransactionPorts,
  storeId: string,
  documents: readonly ProductDocument[],
  unsaved: Unsaved | undefined,
): Promise<(write: WriteContext) => StoredTaxonomy> => {
  const claims = taxonomyClaims(documents);
  const [categories, taxClasses] = await Promise.all([
    tx.categories.find(storeId, claims.categories),
    tx.taxClasses.find(storeId, claims.taxClasses),
  ]);
  const [made, madeTaxClasses] = [unsaved?.categories ?? [], unsaved?.taxClasses ?? []];
  return (write) => {
    const taxonomy = new Taxonomy([...categories, ...made], [...taxClasses, ...madeTaxClasses], write);
    return { taxonomy, isWhole: taxonomy.hasAll(claims) };
  };
};

export interface SavedProduct {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly product: Product;
  /** Absent where the product is new. */
  readonly removals?: Removals;
}

export type SaveResult = Result<SavedProduct, 'invalid' | 'precondition_failed'>;

/** Refuses a write whose writer has seen another state of the product. */
export const STALE_PRODUCT = refuse('precondition_failed', 'The product is not the one that If-Match names.');

/**
 * Saves the documents in order, in one transaction, with one result each. An invalid one fails
 * alone. Without `part` an absent field takes its default. In a part of a file an absent field
 * keeps its stored value, and a product may appear only once in the file. Of a dry run it writes nothing.
 */
export type SaveProducts = (
  cause: Cause,
  storeId: string,
  documents: readonly ProductDocument[],
  part?: FilePart,
  accepts?: Precondition | null,
) => Promise<SaveResult[]>;

const decide = (document: ProductDocument & { readonly id: string }, context: DecisionContext): SaveResult => {
  const { current, holders } = context;
  const before = current.get(document.id);
  const decided = decideDocument(document, context);
  if (!decided.ok) return decided;
  const product = decided.value;
  if (before?.slug != null) holders.release(before.slug);
  if (product.slug !== null) holders.set(product.slug, product.id);
  current.set(product.id, product);
  if (!before || before.isDeleted) return ok({ outcome: 'created', product });
  return ok({ outcome: 'updated', product, removals: removalsOf(before, product) });
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

interface Saved {
  readonly results: SaveResult[];
  /** The products with a former slug that the part has named. */
  readonly renamed: readonly string[];
  /** The products that a dry run would have written. */
  readonly undone: Unsaved | null;
}

/** The results when the products are written. `changed` is null where none was stored before. */
const afterWrite = (
  results: readonly SaveResult[],
  failures: ReadonlyMap<string, string>,
  changed: readonly Product[] | null,
): SaveResult[] => {
  const ids = new Set(changed?.map(({ id }) => id));
  return results.map((result) => {
    if (!result.ok) return result;
    const { outcome, product } = result.value;
    const message = failures.get(product.id);
    if (message !== undefined) return refuse('invalid', message);
    return outcome === 'updated' && changed && !ids.has(product.id) ? ok({ ...result.value, outcome: 'unchanged' }) : result;
  });
};

/** True when a document's product is one that the condition does not accept. It is locked. */
const isStale = async (
  { products }: TransactionPorts,
  storeId: string,
  [first]: readonly IdentifiedDocument[],
  accepts: Precondition | null,
): Promise<boolean> => accepts !== null && first !== undefined && !accepts(await products.tagOf(storeId, first.document.id));

/** A transaction's write context without its time, which comes from the clock. */
interface Begun extends Omit<WriteContext, 'now'> {
  readonly clock: Clock;
  /** For the product of the only document. */
  readonly accepts: Precondition | null;
}

/** The transaction may run again, so `part` changes only after it. */
const save = async (
  tx: TransactionPorts,
  given: readonly ProductDocument[],
  { clock, accepts, ...begun }: Begun,
  part: FilePart | undefined,
): Promise<Saved> => {
  const { storeId } = begun;
  const unsaved = part?.file.unsaved;
  await tx.products.lockCatalogue(storeId);
  const [taxonomyFor, found, warehouses] = await Promise.all([
    readTaxonomy(tx, storeId, given, unsaved),
    identifyDocuments(tx, given, begun, part?.file),
    tx.warehouses.list(storeId),
  ]);
  const { identified, before } = await lockIdentified(tx, found, begun);
  if (await isStale(tx, storeId, identified, accepts)) return { results: [STALE_PRODUCT], renamed: [], undone: null };
  const claims = slugClaims(
    identified.map(({ document }) => document),
    before,
  );
  const holders = new SlugHolders(await tx.bulkProducts.claimSlugs(storeId, claims), unsaved?.slugs);
  // Read after the locks, so that a request that waited for another has a later time.
  const write = { ...begun, now: isoTime(clock.now()) };
  const { taxonomy, isWhole } = taxonomyFor(write);
  const lines = new Map<string, number>();
  const lineOf = (id: string): number | undefined => lines.get(id) ?? part?.file.imported.lineOf(id);
  const context: DecisionContext = { write, taxonomy, current: new Map(before), holders, lineOf };
  const results: SaveResult[] = [];
  const decided = decideAll(identified, context, { given, part, lines, results });
  const isDryRun = unsaved !== undefined;
  const nameOf = warehouseNames(warehouses);
  const areNew = part !== undefined && !isDryRun && before.size === 0 && isWhole;
  const { changed, failures } = await writeDecided(tx, decided, { storeId, before, taxonomy, nameOf, areNew, isDryRun });
  const renamed = part ? await tx.products.haveFormerSlugs(storeId, [...before.keys()]) : [];
  const undone = isDryRun && changed ? { slugs: new Map(holders.changes()), ...taxonomy.newOf(changed) } : null;
  return { results: afterWrite(results, failures, changed), renamed, undone };
};

export const saveProducts =
  ({ clock, ids, transaction }: Pick<Ports, 'clock' | 'ids' | 'transaction'>): SaveProducts =>
  async (cause, storeId, documents, part, accepts = null) => {
    if (documents.length === 0) return [];
    const begun = { storeId, nextId: () => ids.next(), clock, accepts, keepsStored: part !== undefined };
    const { results, renamed, undone } = await transaction.run(cause, (tx) => save(tx, documents, begun, part));
    for (const id of renamed) part?.file.renamed.add(id);
    if (part?.file.unsaved && undone) keepUnsaved(part.file.unsaved, undone);
    for (const [index, result] of results.entries()) {
      if (result.ok) part?.file.imported.add(result.value.product.id, part.lines[index] ?? 0);
    }
    return results;
  };
