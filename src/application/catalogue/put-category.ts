import { completeRecord } from '../../domain/catalogue/fields/complete.ts';
import type { Alone } from '../../domain/catalogue/fields/record.ts';
import { CATEGORY } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { checkCategory } from '../../domain/catalogue/category-checks.ts';
import { newRecord } from '../../domain/catalogue/new-record.ts';
import type { Category } from '../../domain/catalogue/product.ts';
import { parseSlug } from '../../domain/catalogue/slug.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

export type CategoryInput = Alone<typeof CATEGORY>;

export const putCategory =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (storeId: string, id: string, input: CategoryInput): Promise<Result<Category, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = input.slug ? parseSlug(input.slug) : ok(null);
    if (!parsed.ok) return refuse('invalid', parsed.message);
    const { parentId = null } = input;
    const slug = parsed.value;
    return transaction.run(null, async ({ products, categories }) => {
      await products.lockCatalogue(storeId);
      const ids = parentId === null ? [id] : [id, parentId];
      const known = await categories.find(storeId, { ids, slugs: slug === null ? [] : [slug], names: [] });
      const refusal = checkCategory({ id, slug, parentId }, known);
      if (refusal) return refusal;
      const current = known.find((category) => category.id === id);
      const now = isoTime(clock.now());
      const standard = current ? { ...current, updatedAt: now } : newRecord(id, storeId, now);
      const category = completeRecord<Category, CategoryInput>(CATEGORY, standard, input, { slug: () => slug });
      await categories.save(storeId, [category]);
      return ok(category);
    });
  };
