import { route } from '../route.ts';
import { categoryRequest, categoryResponse, taxClassRequest, taxClassResponse } from './catalog.ts';

const path = '/admin/stores/:storeId/categories/:categoryId';

export const adminCategoryRoutes = [
  route
    .put(path, 'putCategory')
    .admin('Catalog')
    .summary('Create or replace a category', 'Slugs are unique within a store.')
    .body(categoryRequest)
    .returns(200, categoryResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, body, cause }) => app.putCategory(cause, storeId, categoryId, body)),
  route
    .delete(path, 'deleteCategory')
    .admin('Catalog')
    .summary(
      'Delete a category',
      'A category that has products, or is the parent of other categories, is not deleted: move those first.',
    )
    .returnsNothing()
    .refuses('not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, cause }) => app.deleteCategory(cause, storeId, categoryId)),
  route
    .put('/admin/stores/:storeId/tax-classes/:taxClassId', 'putTaxClass')
    .admin('Catalog')
    .summary('Create or replace a tax class', 'Codes are unique within a store.')
    .body(taxClassRequest)
    .returns(200, taxClassResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, taxClassId }, body, cause }) => app.putTaxClass(cause, storeId, taxClassId, body)),
];
