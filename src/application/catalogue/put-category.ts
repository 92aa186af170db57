import { newRecord } from '../../domain/catalogue/new-record.ts';
import { belongsTo, notInStore } from '../../domain/catalogue/owner-texts.ts';
import type { Category } from '../../domain/catalogue/product.ts';
import { parseSlug } from '../../domain/catalogue/slug.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Refusal, Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

export interface CategoryInput {
  readonly name: string;
  readonly slug?: string | null | undefined;
  readonly parentId?: string | null | undefined;
  readonly position?: number | undefined;
}

/** Refuses a slug that another category has. */
const checkSlug = (id: string, slug: string | null, known: readonly Category[]): Refusal<'conflict'> | null => {
  if (slug === null) return null;
  const holder = known.find((category) => category.slug === slug && category.id !== id);
  return holder ? refuse('conflict', belongsTo('slug', slug, `category ${holder.id}`)) : null;
};

/** Refuses a parent that does not exist, or that is the category itself or below it. */
const checkParent = (id: string, parentId: string | null, known: readonly Category[]): Refusal<'invalid'> | null => {
  if (parentId === null) return null;
  const find = (categoryId: string): Category | undefined => known.find((category) => category.id === categoryId);
  if (parentId !== id && !find(parentId)) return refuse('invalid', notInStore('parentId', parentId));
  for (let above: string | null = parentId; above !== null; above = find(above)?.parentId ?? null) {
    if (above === id) return refuse('invalid', 'parentId must not be the category itself or one below it.');
  }
  return null;
};

/** Creates or replaces the category. */
export const putCategory =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (storeId: string, id: string, input: CategoryInput): Promise<Result<Category, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = input.slug ? parseSlug(input.slug) : ok(null);
    if (!parsed.ok) return refuse('invalid', parsed.message);
    const { name, parentId = null, position = 0 } = input;
    const slug = parsed.value;
    return transaction.run(async ({ products, categories }) => {
      await products.lockCatalogue(storeId);
      const ids = parentId === null ? [id] : [id, parentId];
      const known = await categories.find(storeId, { ids, slugs: slug === null ? [] : [slug], names: [] });
      const refusal = checkSlug(id, slug, known) ?? checkParent(id, parentId, known);
      if (refusal) return refusal;
      const current = known.find((category) => category.id === id);
      const now = isoTime(clock.now());
      const standard = current ? { ...current, updatedAt: now } : newRecord(id, storeId, now);
      const category: Category = { ...standard, name, slug, parentId, position };
      await categories.save(storeId, [category]);
      return ok(category);
    });
  };
