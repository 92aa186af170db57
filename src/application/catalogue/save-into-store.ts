import type { Ports } from '../../domain/ports/index.ts';
import { refuse } from '../../domain/result.ts';
import type { SaveProducts } from './save-products.ts';

/** Saves nothing more once the store is being erased: an upload may take longer than the store exists. */
export const saveIntoStore =
  ({ stores }: Pick<Ports, 'stores'>, save: SaveProducts): SaveProducts =>
  async (cause, storeId, documents, part) => {
    if ((await stores.get(storeId)) !== null) return save(cause, storeId, documents, part);
    part?.onDecided?.();
    return documents.map(() => refuse('invalid', 'Store not found.'));
  };
