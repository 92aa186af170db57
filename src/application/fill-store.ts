import type { DefinitionInput } from '../domain/custom-data/metaobject-definition.ts';
import type { CollectionDocument } from '../domain/catalogue/product.ts';
import type { ImportItem } from '../domain/catalogue/product-import.ts';
import type { Ports } from '../domain/ports/index.ts';
import type { RefusalCode, Result } from '../domain/result.ts';
import { putDefinition } from './custom-data/put-definition.ts';
import { putCategory, type CategoryInput, putCollection, putTaxClass, type TaxClassInput } from './catalogue/taxonomy.ts';
import { importProducts } from './catalogue/import-products.ts';
import { saveProducts } from './catalogue/save-products.ts';

type WithId<T> = T & { readonly id: string };

/** The records of a demo store. Each store may have the same ids. */
export interface DemoCatalogue {
  readonly taxClass: WithId<TaxClassInput>;
  readonly categories: readonly WithId<CategoryInput>[];
  readonly products: AsyncIterable<ImportItem>;
  readonly collections: readonly WithId<CollectionDocument>[];
  readonly definition: DefinitionInput & { readonly type: string };
}

/** Only a bug can refuse the demo's own data. */
export const unwrapDemo = <T>(what: string, result: Result<T, RefusalCode>): T => {
  if (!result.ok) throw new Error(`The demo store could not be created: ${what}: ${result.message}`);
  return result.value;
};

/** Returns the number of products. */
export const fillStore =
  (ports: Ports, demo: (currency: string) => DemoCatalogue) =>
  async (storeId: string, currency: string): Promise<number> => {
    const { taxClass, categories, products, collections, definition } = demo(currency);
    unwrapDemo('tax class', await putTaxClass(ports)(null, storeId, taxClass.id, taxClass));
    for (const category of categories) unwrapDemo('category', await putCategory(ports)(null, storeId, category.id, category));
    const { created, errors } = await importProducts(saveProducts(ports))(null, storeId, products);
    for (const { line, message } of errors)
      throw new Error(`The demo store could not be created: line ${String(line)}: ${message}`);
    for (const one of collections) unwrapDemo('collection', await putCollection(ports)(null, storeId, one.id, one));
    unwrapDemo('definition', await putDefinition(ports)(storeId, definition.type, definition));
    return created;
  };
