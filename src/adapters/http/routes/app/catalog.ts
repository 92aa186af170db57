import { pageOf } from '../../../../domain/page.ts';
import { ok } from '../../../../domain/result.ts';
import { Tagged } from '../../answer.ts';
import { idParams, route } from '../../route.ts';
import { productListQuery, productListResponse } from '../../schemas/catalog.ts';
import { textOf } from '../../schemas/page.ts';
import { productResponse } from '../../schemas/product.ts';

export const catalogRoutes = [
  route
    .get('/apps/catalog/products')
    .scope('read_products')
    .tag('Catalog')
    .summary(
      'List products',
      'In the order of createdAt, then id: edits never move a product during a walk. Of every status, none deleted.',
    )
    .query(productListQuery)
    .returns(200, productListResponse)
    .etag()
    .refuses('invalid', 'unavailable')
    .handle(async (app, { caller, query: { skip, take, ...filter }, context }) => {
      const page = pageOf({ skip: textOf(skip), take: textOf(take) });
      const listed = await app.listProducts(caller.storeId, page, filter, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
  route
    .get('/apps/catalog/products/:id')
    .scope('read_products')
    .tag('Catalog')
    .summary('Get a product', 'The product with all that belongs to it.')
    .params(idParams)
    .looksUp('product')
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { caller, params, context }) => {
      const found = await app.getProduct(caller.storeId, params.id, context.reading);
      return found.ok ? ok(new Tagged(found.value)) : found;
    }),
];
