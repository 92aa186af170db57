import type { Cause } from '../../domain/cause.ts';
import { checkCategoryUse } from '../../domain/catalogue/taxonomy-checks.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

/** Deletes a category to which nothing refers, with its event. */
export const deleteCategory =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found' | 'conflict'>> =>
    transaction.run(cause, async ({ products, categories, events }) => {
      await products.lockCatalogue(storeId);
      const use = await categories.lockUse(storeId, id);
      if (!use) return notFound('Category');
      const refusal = checkCategoryUse(use);
      if (refusal) return refusal;
      await categories.remove(storeId, id);
      await events.append([{ storeId, type: 'category.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
