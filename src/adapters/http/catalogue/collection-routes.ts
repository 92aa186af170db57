import { ok } from '../../../domain/result.ts';
import { Tagged } from '../answer.ts';
import { route } from '../route.ts';
import { pageQuery } from '../kit/page.ts';
import { collectionProductsResponse } from './collection.ts';

export const collectionRoutes = [
  route
    .get('/apps/catalog/collections/:id/products', 'listCollectionProducts')
    .scope('read_collections', 'Catalog')
    .summary("List a collection's products", 'Returns the product ids in the order set by the merchant.')
    .looksUp('collection')
    .query(pageQuery)
    .returns(200, collectionProductsResponse)
    .refuses('not_found')
    .handle(async (app, { caller, params, query, context }) => {
      const listed = await app.listCollectionProducts(caller.storeId, params.id, query, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
];
