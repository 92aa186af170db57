import { pageOf } from '../../../../domain/page.ts';
import { ok } from '../../../../domain/result.ts';
import { Tagged } from '../../answer.ts';
import { idParams, route } from '../../route.ts';
import { pageQuery } from '../../schemas/catalog.ts';
import { textOf } from '../../schemas/page.ts';
import { collectionProductsResponse } from '../../schemas/collection.ts';

export const collectionRoutes = [
  route
    .get('/apps/catalog/collections/:id/products')
    .scope('read_collections')
    .tag('Catalog')
    .summary("List a collection's products", 'Their ids in the order that the merchant gave them.')
    .params(idParams)
    .looksUp('collection')
    .query(pageQuery)
    .returns(200, collectionProductsResponse)
    .refuses('not_found')
    .handle(async (app, { caller, params, query, context }) => {
      const page = pageOf({ skip: textOf(query.skip), take: textOf(query.take) });
      const listed = await app.listCollectionProducts(caller.storeId, params.id, page, context.reading);
      return listed.ok ? ok(new Tagged(listed.value)) : listed;
    }),
];
