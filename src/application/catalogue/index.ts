import type { Ports } from '../../domain/ports/index.ts';
import { deleteProduct } from './delete-product.ts';
import { exportProducts, productPages } from './export-products.ts';
import { catalogueLookups } from './lookups.ts';
import { putProduct } from './put-product.ts';
import { recordImport } from './record-import.ts';
import { saveIntoStore } from './save-into-store.ts';
import { saveProducts } from './save-products.ts';
import { taxonomyUses } from './taxonomy.ts';
import { updateProducts } from './update-products.ts';
import { updateVariants } from './update-variants.ts';
import { putWarehouses } from './warehouses.ts';

export interface CatalogueSettings {
  readonly bulkMaxProducts: number;
}

export const catalogueUses = (ports: Ports, { bulkMaxProducts }: CatalogueSettings) => ({
  ...catalogueLookups(ports),
  ...taxonomyUses(ports),
  deleteProduct: deleteProduct(ports),
  exportProducts: exportProducts(ports),
  exportWholeProducts: productPages(ports),
  importProducts: recordImport(ports, saveIntoStore(ports, saveProducts(ports))),
  putProduct: putProduct(ports),
  putWarehouses: putWarehouses(ports),
  saveProducts: saveProducts(ports),
  updateProducts: updateProducts(ports, bulkMaxProducts),
  updateVariants: updateVariants(ports, bulkMaxProducts),
});
