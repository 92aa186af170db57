import { z } from 'zod';

import { pageOf } from '../../../../domain/page.ts';
import { ok } from '../../../../domain/result.ts';
import { Tagged } from '../../answer.ts';
import { route, uuid } from '../../route.ts';
import { productDocument } from '../../schemas/product-document.ts';
import { productListQuery, productListResponse } from '../../schemas/catalog.ts';
import { textOf } from '../../schemas/page.ts';
import { productResponse } from '../../schemas/product.ts';

const params = z.object({ storeId: uuid, productId: uuid });
const path = '/admin/stores/:storeId/products/:productId';

export const adminProductRoutes = [
  route
    .get('/admin/stores/:storeId/products')
    .admin()
    .tag('Catalog')
    .summary('List products', 'The same list as in the app API, with the same filters.')
    .params(z.object({ storeId: uuid }))
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'not_found', 'unavailable')
    .handle(async (app, { params: { storeId }, query: { skip, take, ...filter }, context }) => {
      const store = await app.getStore(storeId);
      if (!store.ok) return store;
      const page = pageOf({ skip: textOf(skip), take: textOf(take) });
      const listed = await app.listProducts(storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .put(path)
    .admin()
    .tag('Catalog')
    .summary(
      'Put a product',
      'Replaces the whole product with the document. An absent field takes its default, and an absent list becomes empty. ' +
        'Only the slug stays when it is left out. An Active product needs a variant and a slug. A missing slug is derived from the name. ' +
        'To change some fields only, import the product: an import does not change fields that are left out.',
    )
    .params(params)
    .body(productDocument)
    .returns(200, productResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle(async (app, { params: { storeId, productId }, body }) => {
      const put = await app.putProduct(storeId, productId, body);
      return put.ok ? ok(new Tagged(put.value)) : put;
    }),
  route
    .get(path)
    .admin()
    .tag('Catalog')
    .summary('Get a product', 'The response has the same form as in the app API. A deleted product is not found.')
    .params(params)
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { params: { storeId, productId }, context }) => {
      const found = await app.getProduct(storeId, productId, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
  route
    .delete(path)
    .admin()
    .tag('Catalog')
    .summary('Delete a product', 'A soft delete: the product leaves the list and its collections, and its slug becomes free.')
    .params(params)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params: { storeId, productId } }) => app.deleteProduct(storeId, productId)),
];
