import { importFile } from '../../src/adapters/http/import/import-file.ts';
import { importProducts, type ImportOptions } from '../../src/application/catalogue/import-products.ts';
import { judgeImport } from '../../src/application/catalogue/record-import.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { ImportReport } from '../../src/domain/catalogue/product-import.ts';
import type { Product, ProductDocument, Variant } from '../../src/domain/catalogue/product.ts';
import { refuse } from '../../src/domain/result.ts';
import { openMemoryPorts } from './memory-ports.ts';

const STORE = '00000000-0000-7000-8000-00000000000a';

export interface Shelf {
  readonly variants: readonly Variant[];
  readonly product: () => Promise<Product>;
  readonly read: () => Promise<readonly Variant[]>;
  readonly import: (csv: string, options?: ImportOptions) => Promise<ImportReport>;
  readonly put: (document: ProductDocument) => Promise<void>;
}

/** A store in EUR with one product, into which CSV files are imported. */
export const openShelf = async (document: ProductDocument): Promise<Shelf> => {
  const ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
  const save = saveProducts(ports);
  const [saved] = await save(null, STORE, [document]);
  if (!saved?.ok) throw new Error(saved?.message);
  const { id, variants } = saved.value.product;
  const product = async (): Promise<Product> => {
    const [found] = await ports.transaction.run(null, (tx) => tx.products.lock(STORE, [id]));
    if (!found) throw new Error('The product is gone.');
    return found;
  };
  const bytes = async function* (csv: string): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(csv));
  };
  return {
    variants,
    product,
    read: async () => (await product()).variants,
    import: async (csv, options) => {
      const readDocument = () => refuse('invalid' as const, 'The file is CSV.');
      const file = importFile({ bytes: bytes(csv), contentType: 'text/csv', charset: 'utf-8', currency: 'EUR', readDocument });
      const run = importProducts(save, judgeImport(ports, save));
      try {
        return await run(null, STORE, file.items, { preview: file.preview, ...options });
      } finally {
        await file.close();
      }
    },
    put: async (given) => {
      const [put] = await save(null, STORE, [{ ...given, id }]);
      if (!put?.ok) throw new Error(put?.message);
    },
  };
};
