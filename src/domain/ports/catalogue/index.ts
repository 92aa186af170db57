import type { CollectionReader } from './collection-reader.ts';
import type { ProductExporter } from './product-exporter.ts';
import type { ProductImportLog } from './product-import-log.ts';
import type { ProductReader } from './product-reader.ts';
import type { VariantReader } from './variant-reader.ts';
import type { WarehouseReader } from './warehouse-reader.ts';

export interface CataloguePorts {
  readonly collectionReader: CollectionReader;
  readonly productExporter: ProductExporter;
  readonly productImports: ProductImportLog;
  readonly productReader: ProductReader;
  readonly variantReader: VariantReader;
  readonly warehouseReader: WarehouseReader;
}
