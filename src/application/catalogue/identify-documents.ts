import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { normaliseSlug } from '../../domain/catalogue/slug.ts';
import type { WriteContext } from '../../domain/catalogue/write-context.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { FilePart } from './file-part.ts';
import { SlugHolders } from './slug-holders.ts';

export interface IdentifiedDocument {
  readonly document: ProductDocument & { readonly id: string };
  /** Whether the id was made for the document. No stored product has it. */
  readonly isNew: boolean;
}

/** The slug by which a document without an id means its product. */
export const namedSlug = ({ id, slug }: ProductDocument): string | null =>
  id === undefined && slug ? normaliseSlug(slug) : null;

/**
 * Gives every document the id of the product that it means: its own id; else the product that has
 * its slug; else the product that gave the slug up, unless another document named it (also one of
 * `renamed`, before these); else a new id.
 */
export const identifyDocuments = async (
  tx: TransactionPorts,
  documents: readonly ProductDocument[],
  { storeId, nextId }: Pick<WriteContext, 'storeId' | 'nextId'>,
  file: FilePart['file'] | undefined,
): Promise<IdentifiedDocument[]> => {
  const slugs = [...new Set(documents.flatMap((document) => namedSlug(document) ?? []))];
  const [holders, byFormerSlug] = await Promise.all([
    tx.products.idsBySlug(storeId, slugs),
    tx.products.idsByFormerSlug(storeId, slugs),
  ]);
  const bySlug = new SlugHolders(holders, file?.unsaved?.slugs);
  const held = slugs.map((slug) => bySlug.get(slug));
  const named = new Set([...(file?.renamed ?? []), ...held, ...documents.flatMap(({ id }) => id ?? [])]);
  return documents.map((document) => {
    const slug = namedSlug(document) ?? '';
    const former = byFormerSlug.get(slug);
    const known = document.id ?? bySlug.get(slug) ?? (named.has(former) ? undefined : former);
    const id = known ?? nextId();
    if (slug !== '') bySlug.set(slug, id);
    named.add(id);
    return { document: { ...document, id }, isNew: known === undefined };
  });
};

export const lockIdentified = async (
  tx: TransactionPorts,
  storeId: string,
  identified: readonly IdentifiedDocument[],
): Promise<Map<string, Product>> => {
  const ids = new Set(identified.flatMap(({ document, isNew }) => (isNew ? [] : [document.id])));
  const products = await tx.products.lock(storeId, [...ids]);
  return new Map(products.map((product) => [product.id, product]));
};
