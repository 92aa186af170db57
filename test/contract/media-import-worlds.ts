import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { MediaImportWorld } from './media-import-repository.contract.ts';

/** Changes of the catalogue for a world of imports. */
export const catalogueOf = (
  ports: Pick<Ports, 'clock' | 'transaction'>,
  ids: Ids,
): Pick<MediaImportWorld, 'aProduct' | 'removeProduct'> => {
  const save = saveProducts({ ...ports, ids });
  return {
    aProduct: async (storeId) => {
      const [saved] = await save(null, storeId, [{ id: ids.next(), name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
      if (!saved?.ok) throw new Error('not created');
      const { id, variants } = saved.value.product;
      return { id, variantId: variants[0]?.id ?? '' };
    },
    removeProduct: async (storeId, id) => {
      await ports.transaction.run(null, (tx) => tx.products.remove(storeId, id, '2026-02-02T00:00:00.000Z'));
    },
  };
};
