import { ok } from '../../../domain/result.ts';
import { Tagged } from '../answer.ts';
import { route } from '../route.ts';
import { productDocument, productResponse } from './product.ts';
import { productListQuery, productListResponse } from './catalog.ts';

const path = '/admin/stores/:storeId/products/:productId';

export const adminProductRoutes = [
  route
    .get('/admin/stores/:storeId/products', 'listProducts')
    .admin('Catalog')
    .summary('List products', 'Returns the same list as the app API, with the same filters.')
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'not_found', 'unavailable')
    .handle(async (app, { params: { storeId }, query: { page, filter }, context }) => {
      const store = await app.getStore(storeId);
      if (!store.ok) return store;
      const listed = await app.listProducts(storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .put(path, 'putProduct')
    .admin('Catalog')
    .summary(
      'Create or replace a product',
      'Replaces the whole product with the document. Omitted fields take their defaults, and omitted lists become empty. ' +
        'Only the slug is kept if it is omitted. An Active product needs a variant and a slug. A missing slug is derived from the name. ' +
        'To change only some fields, import the product: an import does not change omitted fields.',
    )
    .body(productDocument)
    .returns(200, productResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle(async (app, { params: { storeId, productId }, body, cause }) => {
      const put = await app.putProduct(cause, storeId, productId, body);
      return put.ok ? ok(new Tagged(put.value)) : put;
    }),
  route
    .get(path, 'getProduct')
    .admin('Catalog')
    .summary('Get a product', 'Returns the same format as the app API. Deleted products are not found.')
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { params: { storeId, productId }, context }) => {
      const found = await app.getProduct(storeId, productId, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
  route
    .delete(path, 'deleteProduct')
    .admin('Catalog')
    .summary(
      'Delete a product',
      'A soft delete: the product is removed from lists and collections, and its slug becomes available.',
    )
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params: { storeId, productId }, cause }) => app.deleteProduct(cause, storeId, productId)),
];
