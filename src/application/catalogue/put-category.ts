/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import type { Ports } from '../../domain/ports/index.ts';
import type { Category } from '../../domain/catalogue/product.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { MAX_SLUG_LENGTH, normaliseSlug } from '../../domain/catalogue/slug.ts';
import { isoTime } from '../../domain/time.ts';

export interface CategoryInput {
  readonly name: string;
  readonly slug?: string | null | undefined;
  readonly parentId?: string | null | undefined;
  readonly position?: number | undefined;
}

/** Makes the category what the input says. A parent must exist and may not stand below the category itself. */
export const putCategory =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (storeId: string, id: string, input: CategoryInput): Promise<Result<Category, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const slug = input.slug ? normaliseSlug(input.slug) : null;
    if (input.slug && slug === null) return refuse('invalid', 'slug: has no letter or digit that a slug can hold');
    if (slug !== null && slug.length > MAX_SLUG_LENGTH)
      return refuse('invalid', `slug: more than ${String(MAX_SLUG_LENGTH)} characters`);
    const parentId = input.parentId ?? null;
    return transaction.run(async ({ products, categories }) => {
      await products.lockCatalogue(storeId);
      const known = await categories.find(storeId, {
        ids: parentId === null ? [id] : [id, parentId],
        slugs: slug === null ? [] : [slug],
        names: [],
      });
      const holder = known.find((category) => slug !== null && category.slug === slug && category.id !== id);
      if (holder) return refuse('conflict', `slug: taken by category ${holder.id}`);
      const parent = known.find((category) => category.id === parentId);
      if (parentId !== null && parentId !== id && !parent) return refuse('invalid', 'parentId: no such category');
      for (let above = parentId; above !== null; above = known.find((category) => category.id === above)?.parentId ?? null) {
        if (above === id) return refuse('invalid', 'parentId: a category cannot stand below itself');
      }
      const current = known.find((category) => category.id === id);
      const now = isoTime(clock.now());
      const standard = current
        ? { ...current, updatedAt: now }
        : { id, tenantId: storeId, createdAt: now, updatedAt: null, deletedAt: null, isDeleted: false };
      const category: Category = { ...standard, name: input.name, slug, parentId, position: input.position ?? 0 };
      await categories.save(storeId, [category]);
      return ok(category);
    });
  };
