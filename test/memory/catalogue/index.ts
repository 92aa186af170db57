import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { TransactionLocks } from '../locks.ts';
import type { MemoryState } from '../state.ts';
import { bulkProductRepository } from './bulk-product-repository.ts';
import { bulkVariantRepository } from './bulk-variant-repository.ts';
import { categoryRepository } from './category-repository.ts';
import { collectionReader } from './collection-reader.ts';
import { collectionRepository } from './collection-repository.ts';
import { productExporter } from './product-exporter.ts';
import { productImportLog } from './product-import-log.ts';
import { productReader } from './product-reader.ts';
import { productRepository } from './product-repository.ts';
import { taxClassRepository } from './tax-class-repository.ts';
import { variantReader } from './variant-reader.ts';
import { warehouseReader } from './warehouse-reader.ts';
import { warehouseRepository } from './warehouse-repository.ts';

export const cataloguePorts = (state: MemoryState, clock: Clock) => ({
  collectionReader: collectionReader(state),
  productExporter: productExporter(state),
  productImports: productImportLog(state, clock),
  productReader: productReader(state),
  variantReader: variantReader(state),
  warehouseReader: warehouseReader(state),
});

export const catalogueWrites = (state: MemoryState, own: TransactionLocks) => ({
  bulkProducts: bulkProductRepository(state, own),
  bulkVariants: bulkVariantRepository(state, own),
  categories: categoryRepository(state, own),
  collections: collectionRepository(state),
  products: productRepository(state, own),
  taxClasses: taxClassRepository(state),
  warehouses: warehouseRepository(state),
});
