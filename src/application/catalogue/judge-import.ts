import type { Ports } from '../../domain/ports/index.ts';
import type { JudgeImport } from './import-products.ts';
import { judgeRemovals } from './judge-removals.ts';
import type { SaveProducts } from './save-products.ts';

/** No file can remove anything from a store without products. */
export const judgeImport =
  (ports: Pick<Ports, 'ids' | 'productExporter' | 'transaction'>, save: SaveProducts): JudgeImport =>
  async (cause, storeId) =>
    (await ports.productExporter.page(storeId, null, 1)).length === 0 ? null : judgeRemovals(ports, save, cause, storeId);
