import { z } from 'zod';

import { route, uuid } from '../../route.ts';
import { categoryRequest, categoryResponse, taxClassRequest, taxClassResponse } from '../../schemas/catalog.ts';

export const adminCategoryRoutes = [
  route
    .put('/admin/stores/:storeId/categories/:categoryId')
    .admin()
    .tag('Catalog')
    .summary('Put a category', 'Makes the category what the body says, whole; no two of a store have one slug.')
    .params(z.object({ storeId: uuid, categoryId: uuid }))
    .body(categoryRequest)
    .returns(200, categoryResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, body }) => app.putCategory(storeId, categoryId, body)),
  route
    .put('/admin/stores/:storeId/tax-classes/:taxClassId')
    .admin()
    .tag('Catalog')
    .summary('Put a tax class', 'Makes the tax class what the body says, whole; no two of a store have one code.')
    .params(z.object({ storeId: uuid, taxClassId: uuid }))
    .body(taxClassRequest)
    .returns(200, taxClassResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, taxClassId }, body }) => app.putTaxClass(storeId, taxClassId, body)),
];
