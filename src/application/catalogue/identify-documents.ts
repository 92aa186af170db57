import type { Making } from '../../domain/catalogue/element.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { normaliseSlug } from '../../domain/catalogue/slug.ts';

const namedSlug = ({ id, slug }: ProductDocument): string | null => (id === undefined && slug ? normaliseSlug(slug) : null);

/** `isNew` when the id was made for it: nobody else can have it. */
export interface Identified {
  readonly document: ProductDocument & { readonly id: string };
  readonly isNew: boolean;
}

/**
 * Every document with the id of the product it means: its own; that of the slug's holder; that of the product which gave the slug up,
 * unless another document named that product (by `met`, one before these); or a new one.
 */
export const identifyDocuments = async (
  tx: TransactionPorts,
  documents: readonly ProductDocument[],
  { storeId, nextId }: Making,
  met: ReadonlySet<string>,
): Promise<Identified[]> => {
  const slugs = [...new Set(documents.flatMap((document) => namedSlug(document) ?? []))];
  const bySlug = new Map(await tx.products.idsBySlug(storeId, slugs));
  const byFormer = await tx.products.idsByFormerSlug(
    storeId,
    slugs.filter((slug) => !bySlug.has(slug)),
  );
  const named = new Set([...met, ...bySlug.values(), ...documents.flatMap(({ id }) => id ?? [])]);
  const unnamed = (id: string | undefined): string | undefined => (id === undefined || named.has(id) ? undefined : id);
  return documents.map((document) => {
    const slug = namedSlug(document) ?? '';
    const known = document.id ?? bySlug.get(slug) ?? unnamed(byFormer.get(slug));
    const id = known ?? nextId();
    if (slug !== '') bySlug.set(slug, id);
    named.add(id);
    return { document: { ...document, id }, isNew: known === undefined };
  });
};
