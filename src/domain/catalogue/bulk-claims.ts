import type { ReadChange } from './bulk-change.ts';
import type { BulkProduct } from './bulk-update.ts';
import { derivedBase } from './slug.ts';

/** The slugs that the request may claim: those it names, and the bases of those that an activation may derive. */
export interface SlugClaims {
  readonly slugs: readonly string[];
  readonly bases: readonly string[];
}

/** What must be locked and looked up before the request can be decided. */
export const slugClaims = (changes: readonly ReadChange[], current: ReadonlyMap<string, BulkProduct>): SlugClaims => {
  const slugs = new Set<string>();
  const bases = new Set<string>();
  for (const read of changes) {
    const product = current.get(read.id);
    if (!product || 'failure' in read) continue;
    const { change } = read;
    if (change.slug !== undefined && change.slug !== product.slug) slugs.add(change.slug);
    const base =
      change.status === 'Active' &&
      change.slug === undefined &&
      product.slug === null &&
      derivedBase(change.name ?? product.name);
    if (base) bases.add(base);
  }
  return { slugs: [...slugs], bases: [...bases] };
};

/** The categories that the request names. */
export const categoryClaims = (changes: readonly ReadChange[]): string[] => [
  ...new Set(changes.flatMap((read) => ('change' in read && read.change.categoryId ? [read.change.categoryId] : []))),
];
