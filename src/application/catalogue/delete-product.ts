import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

export const deleteProduct =
  ({ clock, transaction }: Pick<Ports, 'clock' | 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found'>> =>
    transaction.run(cause, async ({ products, events }) => {
      await products.lockCatalogue(storeId);
      if (!(await products.remove(storeId, id, isoTime(clock.now())))) return notFound('Product');
      await events.append([{ storeId, type: 'product.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
