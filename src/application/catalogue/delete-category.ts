import type { Cause } from '../../domain/cause.ts';
import { checkCategoryUse } from '../../domain/catalogue/taxonomy-checks.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { notFound, ok, type Refusal, type Result } from '../../domain/result.ts';

/** The merchant's other writes wait for the last transaction, so it has little to do. */
const DETACHED_AT_ONCE = 1_000;

/**
 * Deletes a category to which nothing refers, with its event. Deleted products lose it before: there may be
 * any number of them.
 */
export const deleteCategory =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found' | 'conflict'>> => {
    const refusalOf = async ({ categories }: TransactionPorts): Promise<Refusal<'not_found' | 'conflict'> | null> => {
      const use = await categories.lockUse(storeId, id);
      return use ? checkCategoryUse(use) : notFound('Category');
    };
    const detach = ({ categories }: TransactionPorts) => categories.detach(storeId, id, DETACHED_AT_ONCE);
    const refusal = await transaction.run(cause, refusalOf);
    if (refusal) return refusal;
    while ((await transaction.run(cause, detach)) === DETACHED_AT_ONCE);
    return transaction.run(cause, async (tx) => {
      await tx.products.lockCatalogue(storeId);
      const refused = await refusalOf(tx);
      if (refused) return refused;
      await tx.categories.remove(storeId, id);
      await tx.events.append([{ storeId, type: 'category.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
  };
