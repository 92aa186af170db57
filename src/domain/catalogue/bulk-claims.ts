import type { ParsedChange } from './bulk-change.ts';
import type { BulkProduct } from './bulk-product.ts';
import { derivedBase } from './slug.ts';

/** The slugs that the request names, and the bases of the slugs that an activation may derive. */
export interface SlugClaims {
  readonly slugs: readonly string[];
  readonly bases: readonly string[];
}

/** The slugs to lock and look up before the request can be decided. */
export const bulkSlugClaims = (changes: readonly ParsedChange[], current: ReadonlyMap<string, BulkProduct>): SlugClaims => {
  const slugs = new Set<string>();
  const bases = new Set<string>();
  for (const { id, change } of changes) {
    const product = current.get(id);
    if (!product || !change.ok) continue;
    const { slug, status, name } = change.value;
    if (slug !== undefined && slug !== product.slug) slugs.add(slug);
    const isDerived = status === 'Active' && slug === undefined && product.slug === null;
    const base = isDerived ? derivedBase(name ?? product.name) : null;
    if (base !== null) bases.add(base);
  }
  return { slugs: [...slugs], bases: [...bases] };
};

export const categoryClaims = (changes: readonly ParsedChange[]): string[] => [
  ...new Set(changes.flatMap(({ change }) => (change.ok && change.value.categoryId ? [change.value.categoryId] : []))),
];
