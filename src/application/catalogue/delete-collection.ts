import type { Cause } from '../../domain/cause.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

export const deleteCollection =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  async (cause: Cause, storeId: string, id: string): Promise<Result<null, 'not_found'>> =>
    transaction.run(cause, async ({ products, collections, events }) => {
      await products.lockCatalogue(storeId);
      if (!(await collections.get(storeId, id))) return notFound('Collection');
      await collections.remove(storeId, id);
      await events.append([{ storeId, type: 'collection.deleted', resourceId: id, origin: null, data: { id, origin: null } }]);
      return ok(null);
    });
