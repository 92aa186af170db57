import { bulkRoutes } from './bulk-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { importRoutes } from './import-routes.ts';
import { adminCollectionRoutes } from './merchant-collection-routes.ts';
import { adminProductRoutes } from './merchant-product-routes.ts';
import { adminVariantRoutes } from './merchant-variant-routes.ts';
import { productExportRoutes } from './product-export-routes.ts';
import { catalogRoutes } from './product-routes.ts';
import { adminCategoryRoutes } from './taxonomy-routes.ts';
import { variantRoutes } from './variant-routes.ts';

export const catalogueRoutes = {
  app: [...bulkRoutes, ...productExportRoutes, ...catalogRoutes, ...variantRoutes, ...collectionRoutes],
  admin: [...importRoutes, ...adminProductRoutes, ...adminVariantRoutes, ...adminCategoryRoutes, ...adminCollectionRoutes],
};
