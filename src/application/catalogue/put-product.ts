import type { Ports } from '../../domain/ports/index.ts';
import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { saveProducts } from './save-products.ts';

/** Makes the product what the document says, whole. The value is the product detail as JSON text. */
export const putProduct = (ports: Pick<Ports, 'clock' | 'ids' | 'transaction' | 'stores' | 'productReader'>) => {
  const save = saveProducts(ports);
  return async (
    storeId: string,
    id: string,
    document: ProductDocument,
  ): Promise<Result<string, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await ports.stores.get(storeId))) return notFound('Store');
    if (document.id !== undefined && document.id !== id) return refuse('invalid', 'id: differs from the id of the path');
    const [saved] = await save(storeId, [{ ...document, id }]);
    if (saved?.outcome === 'failed') return refuse('invalid', saved.message);
    const text = await ports.productReader.detail(storeId, id);
    return text === null ? refuse('conflict', 'the product was deleted meanwhile') : ok(text);
  };
};
