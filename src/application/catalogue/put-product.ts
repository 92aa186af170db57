import type { Cause } from '../../domain/cause.ts';
import type { ProductDocument } from '../../domain/catalogue/product.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { JsonDocument, Precondition } from '../../domain/reading.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { saveProducts } from './save-products.ts';

export const putProduct = (ports: Pick<Ports, 'clock' | 'ids' | 'transaction' | 'stores' | 'productReader'>) => {
  const save = saveProducts(ports);
  return async (
    cause: Cause,
    storeId: string,
    id: string,
    document: ProductDocument,
    accepts: Precondition | null = null,
  ): Promise<Result<JsonDocument, 'invalid' | 'not_found' | 'conflict' | 'precondition_failed'>> => {
    if (!(await ports.stores.get(storeId))) return notFound('Store');
    if (document.id !== undefined && document.id !== id) return refuse('invalid', 'id must be the id of the path.');
    const [saved] = await save(cause, storeId, [{ ...document, id }], undefined, accepts);
    if (saved?.ok === false) return saved;
    const product = await ports.productReader.detail(storeId, id);
    return product === null ? refuse('conflict', 'The product was deleted by another request.') : ok(product);
  };
};
