import { z } from 'zod';

import { route } from '../../route.ts';
import { collectionRequest, collectionResponse } from '../../schemas/collection.ts';
import { uuidField } from '../../schemas/fields.ts';

const params = z.object({ storeId: uuidField, collectionId: uuidField });
const path = '/admin/stores/:storeId/collections/:collectionId';

export const adminCollectionRoutes = [
  route
    .put(path)
    .admin()
    .tag('Catalog')
    .summary('Create or replace a collection', 'Its products keep the order of the request.')
    .params(params)
    .body(collectionRequest)
    .returns(200, collectionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, collectionId }, body, cause }) => app.putCollection(cause, storeId, collectionId, body)),
  route
    .delete(path)
    .admin()
    .tag('Catalog')
    .summary('Delete a collection', 'The products of the collection are not deleted.')
    .params(params)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params: { storeId, collectionId }, cause }) => app.deleteCollection(cause, storeId, collectionId)),
];
