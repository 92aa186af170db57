import { READ_CACHE_MB } from '../../storage/storage.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { ReadCache } from '../reading/read-cache.ts';
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

export interface CatalogueOptions {
  readonly readCache?: ReadCache;
  /** Milliseconds that a search of products may take; 2000 by default. */
  readonly searchTimeoutMs?: number;
}

export const cataloguePorts = (
  database: Database,
  { readCache: cache = new ReadCache(READ_CACHE_MB), searchTimeoutMs }: CatalogueOptions,
) => ({
  collectionReader: collectionReader(database, cache),
  productExporter: productExporter(database),
  productImports: productImportLog(database),
  productReader: productReader(database, { cache, searchTimeoutMs }),
  variantReader: variantReader(database),
  warehouseReader: warehouseReader(database),
});

export const catalogueWrites = (sql: TransactionSql) => ({
  bulkProducts: bulkProductRepository(sql),
  bulkVariants: bulkVariantRepository(sql),
  categories: categoryRepository(sql),
  collections: collectionRepository(sql),
  products: productRepository(sql),
  taxClasses: taxClassRepository(sql),
  warehouses: warehouseRepository(sql),
});
