import type { Category, TaxClass } from '../../domain/catalogue/product.ts';

/**
 * Collects what a dry run would have saved of a file so far. The rest of the file is decided as if
 * it were stored.
 */
export interface Unsaved {
  /** The product that has each slug; null for a slug that was given up. */
  readonly slugs: Map<string, string | null>;
  readonly categories: Category[];
  readonly taxClasses: TaxClass[];
}

export const nothingUnsaved = (): Unsaved => ({ slugs: new Map(), categories: [], taxClasses: [] });

export const keepUnsaved = (unsaved: Unsaved, { slugs, categories, taxClasses }: Unsaved): void => {
  for (const [slug, id] of slugs) unsaved.slugs.set(slug, id);
  unsaved.categories.push(...categories);
  unsaved.taxClasses.push(...taxClasses);
};
