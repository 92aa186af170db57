import type { z } from 'zod';

import type * as productImports from './import-report.ts';
import type * as products from './product.ts';
import type * as recordedImports from './product-imports.ts';
import type * as catalogue from './catalog.ts';
import type * as variantBulks from './variant-bulk.ts';

export type ImportReport = z.output<typeof productImports.importReport>;
export type Product = z.output<typeof products.productResponse>;
export type ProductImport = z.output<typeof recordedImports.productImport>;
export type ProductImportPage = z.output<typeof recordedImports.productImportPage>;
export type ProductListItem = z.output<typeof catalogue.productListResponse>['items'][number];
export type VariantBulkResult = z.output<typeof variantBulks.variantBulkResponse>;
