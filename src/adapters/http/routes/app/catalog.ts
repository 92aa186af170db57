import { pageOf } from '../../../../domain/page.ts';
import { ok } from '../../../../domain/result.ts';
import { jsonText } from '../../answer.ts';
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
    .handle(async (app, { caller, query: { skip, take, ...filter } }) => {
      const listed = await app.listProducts(caller.storeId, pageOf({ skip: textOf(skip), take: textOf(take) }), filter);
      return listed.ok ? ok(jsonText(listed.value)) : listed;
    }),
  route
    .get('/apps/catalog/products/:id')
    .scope('read_products')
    .tag('Catalog')
    .summary('Get a product', 'The product with all that belongs to it.')
    .params(idParams)
    .returns(200, productResponse)
    .etag()
    .refuses('not_found')
    .handle(async (app, { caller, params }) => {
      const found = await app.getProduct(caller.storeId, params.id);
      return found.ok ? ok(jsonText(found.value)) : found;
    }),
];
