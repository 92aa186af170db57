import { z } from 'zod';

import { COLLECTION } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { ok } from '../../../domain/result.ts';
import { Tagged } from '../answer.ts';
import { exampleId } from '../kit/example-record.ts';
import { pageQuery } from '../kit/page.ts';
import { answerOf, requestOf } from '../kit/records.ts';
import { route } from '../route.ts';

export const collectionProductsResponse = z
  .object({ collectionId: z.guid(), productIds: z.array(z.string()), skip: z.int(), take: z.int(), total: z.int() })
  .meta({
    id: 'CollectionProducts',
    examples: [{ collectionId: exampleId(20), productIds: [exampleId(1)], skip: 0, take: 50, total: 1 }],
  });

const collectionRequest = requestOf(COLLECTION).meta({
  id: 'CollectionRequest',
  examples: [{ title: 'Bestsellers', handle: 'bestsellers', productIds: [exampleId(1)] }],
});

const collectionResponse = answerOf(COLLECTION);

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

const path = '/admin/stores/:storeId/collections/:collectionId';

export const adminCollectionRoutes = [
  route
    .put(path, 'putCollection')
    .admin('Catalog')
    .summary('Create or replace a collection', 'Its products keep the order of the request.')
    .body(collectionRequest)
    .returns(200, collectionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, collectionId }, body, cause }) => app.putCollection(cause, storeId, collectionId, body)),
  route
    .delete(path, 'deleteCollection')
    .admin('Catalog')
    .summary('Delete a collection', 'The products of the collection are not deleted.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params: { storeId, collectionId }, cause }) => app.deleteCollection(cause, storeId, collectionId)),
];
