import { ok } from '../../../domain/result.ts';
import { Tagged } from '../answer.ts';
import { route } from '../route.ts';
import { productListQuery, productListResponse } from './catalog.ts';
import { productResponse } from './product.ts';

export const catalogRoutes = [
  route
    .get('/apps/catalog/products', 'listProducts')
    .scope('read_products', 'Catalog')
    .summary(
      'List products',
      'Returns products of every status except deleted ones, ordered by creation time. Edits do not shift pages.',
    )
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'unavailable')
    .handle(async (app, { caller, query: { page, filter }, context }) => {
      const listed = await app.listProducts(caller.storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .get('/apps/catalog/products/:id', 'getProduct')
    .scope('read_products', 'Catalog')
    .summary('Get a product', 'Returns the product with all its details.')
    .looksUp('product')
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { caller, params, context }) => {
      const found = await app.getProduct(caller.storeId, params.id, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
];
