import { z } from 'zod';

import { route, uuid } from '../../route.ts';
import { categoryRequest, categoryResponse, taxClassRequest, taxClassResponse } from '../../schemas/catalog.ts';

export const adminCategoryRoutes = [
  route
    .put('/admin/stores/:storeId/categories/:categoryId')
    .admin()
    .tag('Catalog')
    .summary('Put a category', 'Creates the category or replaces it with the body. A slug is unique in its store.')
    .params(z.object({ storeId: uuid, categoryId: uuid }))
    .body(categoryRequest)
    .returns(200, categoryResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, body }) => app.putCategory(storeId, categoryId, body)),
  route
    .put('/admin/stores/:storeId/tax-classes/:taxClassId')
    .admin()
    .tag('Catalog')
    .summary('Put a tax class', 'Creates the tax class or replaces it with the body. A code is unique in its store.')
    .params(z.object({ storeId: uuid, taxClassId: uuid }))
    .body(taxClassRequest)
    .returns(200, taxClassResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, taxClassId }, body }) => app.putTaxClass(storeId, taxClassId, body)),
];
