import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Precondition } from '../../domain/reading.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { STALE_PRODUCT } from './save-products.ts';

export const deleteProduct =
  ({ clock, transaction }: Pick<Ports, 'clock' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    accepts: Precondition | null = null,
  ): Promise<Result<null, 'not_found' | 'precondition_failed'>> =>
    transaction.run(cause, async ({ products, events }) => {
      await products.lockCatalogue(storeId);
      if (accepts !== null) {
        await products.lock(storeId, [id]);
        const tag = await products.tagOf(storeId, id);
        if (tag !== null && !accepts(tag)) return STALE_PRODUCT;
      }
      if (!(await products.remove(storeId, id, isoTime(clock.now())))) return notFound('Product');
      await events.append([{ storeId, type: 'product.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
