import type { CategoryUse } from '../ports/catalogue/category-repository.ts';
import { refuse, type Refusal } from '../result.ts';
import { belongsTo, notInStore } from './owner-texts.ts';
import type { Category, TaxClass } from './product.ts';

type Place = Pick<Category, 'id' | 'slug' | 'parentId'>;

/** Refuses a slug that another category has. */
const checkSlug = ({ id, slug }: Place, known: readonly Category[]): Refusal<'conflict'> | null => {
  const holder = slug === null ? undefined : known.find((category) => category.slug === slug && category.id !== id);
  return holder ? refuse('conflict', belongsTo('slug', holder.slug ?? '', `category ${holder.id}`)) : null;
};

/** Refuses a parent that does not exist, or that is the category itself or below it. */
const checkParent = ({ id, parentId }: Place, known: readonly Category[]): Refusal<'invalid'> | null => {
  if (parentId === null) return null;
  const find = (categoryId: string): Category | undefined => known.find((category) => category.id === categoryId);
  if (parentId !== id && !find(parentId)) return refuse('invalid', notInStore('parentId', parentId));
  for (let above: string | null = parentId; above !== null; above = find(above)?.parentId ?? null) {
    if (above === id) return refuse('invalid', 'parentId must not be this category or one of its descendants.');
  }
  return null;
};

/**
 * Refuses a category that does not fit among those of its store. `known` has the holder of its slug,
 * and its parent with all that are above it.
 */
export const checkCategory = (place: Place, known: readonly Category[]): Refusal<'conflict' | 'invalid'> | null =>
  checkSlug(place, known) ?? checkParent(place, known);

/** Refuses to delete a category while something refers to it: no product changes without an event of its own. */
export const checkCategoryUse = ({ hasProducts, hasChildren }: CategoryUse): Refusal<'conflict'> | null => {
  if (hasProducts) return refuse('conflict', 'The category has products. Move them to another category first.');
  return hasChildren ? refuse('conflict', 'The category is the parent of other categories. Move them first.') : null;
};

/** Refuses a tax class with a code that another of these has. */
export const checkTaxClass = (
  { id, code }: Pick<TaxClass, 'id' | 'code'>,
  known: readonly TaxClass[],
): Refusal<'conflict'> | null => {
  const holder = known.find((taxClass) => taxClass.code === code && taxClass.id !== id);
  return holder ? refuse('conflict', belongsTo('code', code, `tax class ${holder.id}`)) : null;
};
