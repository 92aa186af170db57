import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { normaliseSlug, slugAsBefore } from '../../domain/catalogue/slug.ts';
import { trimmed } from '../../domain/values/text.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { FilePart } from './file-part.ts';
import { SlugHolders } from './slug-holders.ts';

export interface IdentifiedDocument {
  readonly document: ProductDocument & { readonly id: string };
  /** True when the id was made for the document, so no stored product has it. */
  readonly isNew: boolean;
  /** True where the product was found by the slug that version 0.1 made of the document's. It may be another product. */
  readonly isGuess?: true;
}

/** The slug by which a document without an id means its product. */
export const namedSlug = ({ id, slug }: ProductDocument): string | null =>
  id === undefined && slug ? normaliseSlug(slug) : null;

/** The slug that version 0.1 stored for it. */
const earlierSlug = ({ id, slug }: ProductDocument): string | null =>
  id === undefined && slug ? (slugAsBefore(slug) ?? null) : null;

/**
 * Gives every document the id of the product that it means: its own id; else the product that has
 * its slug; else the product that gave the slug up, unless another document named it (also one of
 * `renamed`, before these); else, for lockIdentified to judge, the product that has the slug which
 * version 0.1 made of the document's, unless the file named it; else a new id.
 */
export const identifyDocuments = async (
  tx: TransactionPorts,
  documents: readonly ProductDocument[],
  { storeId, nextId }: Pick<WriteContext, 'storeId' | 'nextId'>,
  file: FilePart['file'] | undefined,
): Promise<IdentifiedDocument[]> => {
  const slugs = [...new Set(documents.flatMap((document) => namedSlug(document) ?? []))];
  const earlier = documents.flatMap((document) => earlierSlug(document) ?? []);
  const [holders, byFormerSlug] = await Promise.all([
    tx.products.idsBySlug(storeId, [...new Set([...slugs, ...earlier])]),
    tx.products.idsByFormerSlug(storeId, slugs),
  ]);
  const bySlug = new SlugHolders(holders, file?.unsaved?.slugs);
  const held = slugs.map((slug) => bySlug.get(slug));
  const named = new Set([...(file?.renamed ?? []), ...held, ...documents.flatMap(({ id }) => id ?? [])]);
  const guessOf = (document: ProductDocument): string | undefined => {
    const holder = bySlug.get(earlierSlug(document) ?? '');
    return holder === undefined || named.has(holder) || file?.imported.lineOf(holder) !== undefined ? undefined : holder;
  };
  return documents.map((document) => {
    const slug = namedSlug(document) ?? '';
    const former = byFormerSlug.get(slug);
    const known = document.id ?? bySlug.get(slug) ?? (named.has(former) ? undefined : former);
    const guess = known === undefined ? guessOf(document) : undefined;
    const id = known ?? guess ?? nextId();
    if (slug !== '') bySlug.set(slug, id);
    named.add(id);
    return {
      document: { ...document, id },
      isNew: known === undefined && guess === undefined,
      ...(guess !== undefined && { isGuess: true as const }),
    };
  });
};

/** Slugs of two products may have been folded to one, so the name or a SKU says whether it is this one. */
const isSame = ({ name, variants }: Product, document: ProductDocument): boolean => {
  const skus = new Set(variants.flatMap(({ sku, isDeleted }) => (isDeleted ? [] : [sku])));
  return name === trimmed(document.name) || document.variants?.some(({ sku }) => skus.has(sku)) === true;
};

interface Locked {
  readonly identified: readonly IdentifiedDocument[];
  readonly before: Map<string, Product>;
}

/** A product that was found by its earlier slug keeps that, and a document that means none gets a new id. */
const judged = (guesses: readonly IdentifiedDocument[], { identified, before }: Locked, nextId: () => string): Locked => {
  const others = new Map<string, string>();
  const slugs = new Map<string, string | null>();
  for (const { document } of guesses) {
    const product = before.get(document.id);
    if (product && isSame(product, document)) slugs.set(document.id, product.slug);
    else others.set(document.id, nextId());
  }
  return {
    before: new Map([...before].filter(([id]) => !others.has(id))),
    identified: identified.map(({ document, isNew }) => {
      const { id, slug = null } = document;
      const other = others.get(id);
      if (other !== undefined) return { document: { ...document, id: other }, isNew: true };
      return { document: { ...document, ...(slugs.has(id) && { slug: slugs.get(id) ?? slug }) }, isNew };
    }),
  };
};

/** Locks the products that the documents identify. */
export const lockIdentified = async (
  tx: TransactionPorts,
  identified: readonly IdentifiedDocument[],
  { storeId, nextId }: Pick<WriteContext, 'storeId' | 'nextId'>,
): Promise<Locked> => {
  const ids = new Set(identified.flatMap(({ document, isNew }) => (isNew ? [] : [document.id])));
  const products = await tx.products.lock(storeId, [...ids]);
  const locked = { identified, before: new Map(products.map((product) => [product.id, product])) };
  const guesses = identified.filter(({ isGuess }) => isGuess);
  return guesses.length === 0 ? locked : judged(guesses, locked, nextId);
};
