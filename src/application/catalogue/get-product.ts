import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** The detail of a live product of the store, as JSON text. */
export const getProduct =
  ({ productReader }: Pick<Ports, 'productReader'>) =>
  async (storeId: string, id: string): Promise<Result<string, 'not_found'>> => {
    const text = await productReader.detail(storeId, id);
    return text === null ? notFound('Product') : ok(text);
  };
