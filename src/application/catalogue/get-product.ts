import type { Ports } from '../../domain/ports/index.ts';
import type { JsonDocument, Reading } from '../../domain/reading.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** The detail of a live product of the store. */
export const getProduct =
  ({ productReader }: Pick<Ports, 'productReader'>) =>
  async (storeId: string, id: string, reading?: Reading): Promise<Result<JsonDocument, 'not_found'>> => {
    const product = await productReader.detail(storeId, id, reading);
    return product === null ? notFound('Product') : ok(product);
  };
