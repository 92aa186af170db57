import type { SlugClaims } from '../../domain/catalogue/bulk-claims.ts';
import type { Product, ProductDocument } from '../../domain/catalogue/product.ts';
import { derivedBase, normaliseSlug } from '../../domain/catalogue/slug.ts';

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
