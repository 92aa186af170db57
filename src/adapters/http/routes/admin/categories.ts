import { route } from '../../route.ts';
import { categoryRequest, categoryResponse, taxClassRequest, taxClassResponse } from '../../schemas/catalog.ts';

export const adminCategoryRoutes = [
  route
    .put('/admin/stores/:storeId/categories/:categoryId', 'putCategory')
    .admin('Catalog')
    .summary('Create or replace a category', 'Slugs are unique within a store.')
    .body(categoryRequest)
    .returns(200, categoryResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, body, cause }) => app.putCategory(cause, storeId, categoryId, body)),
  route
    .put('/admin/stores/:storeId/tax-classes/:taxClassId', 'putTaxClass')
    .admin('Catalog')
    .summary('Create or replace a tax class', 'Codes are unique within a store.')
    .body(taxClassRequest)
    .returns(200, taxClassResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, taxClassId }, body }) => app.putTaxClass(storeId, taxClassId, body)),
];
