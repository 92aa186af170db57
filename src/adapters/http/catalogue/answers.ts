import type { z } from 'zod';

import type * as productImports from './product-imports.ts';
import type * as products from './products.ts';
import type * as variantBulks from './variants.ts';
import type * as warehouses from './warehouses.ts';

export type ImportReport = z.output<typeof productImports.importReport>;
export type Product = z.output<typeof products.productResponse>;
export type ProductImport = z.output<typeof productImports.productImport>;
export type ProductImportPage = z.output<typeof productImports.productImportPage>;
export type ProductListItem = z.output<typeof products.productListResponse>['items'][number];
export type VariantBulkResult = z.output<typeof variantBulks.variantBulkResponse>;
export type WarehousePage = z.output<typeof warehouses.warehousePage>;
export type Warehouse = WarehousePage['items'][number];
export type WarehouseReport = z.output<typeof warehouses.warehouseReport>;
