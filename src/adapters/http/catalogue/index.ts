import { bulkRoutes } from './bulk-products.ts';
import { collectionRoutes, adminCollectionRoutes } from './collections.ts';
import { importRoutes } from './product-imports.ts';
import { adminProductRoutes, catalogRoutes } from './products.ts';
import { adminVariantRoutes, variantRoutes } from './variants.ts';
import { productExportRoutes } from './product-exports.ts';
import { adminCategoryRoutes } from './taxonomy.ts';
import { adminWarehouseRoutes, warehouseRoutes } from './warehouses.ts';

export const catalogueRoutes = {
  app: [...bulkRoutes, ...productExportRoutes, ...catalogRoutes, ...variantRoutes, ...collectionRoutes, ...warehouseRoutes],
  admin: [
    ...importRoutes,
    ...adminProductRoutes,
    ...adminVariantRoutes,
    ...adminCategoryRoutes,
    ...adminCollectionRoutes,
    ...adminWarehouseRoutes,
  ],
};
