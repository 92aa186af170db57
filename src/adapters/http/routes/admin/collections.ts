import { z } from 'zod';

import { route, uuid } from '../../route.ts';
import { collectionRequest, collectionResponse } from '../../schemas/collection.ts';

const params = z.object({ storeId: uuid, collectionId: uuid });
const path = '/admin/stores/:storeId/collections/:collectionId';

export const adminCollectionRoutes = [
  route
    .put(path)
    .admin()
    .tag('Catalog')
    .summary('Put a collection', 'Creates the collection or replaces it with the body. Its products have the order of the body.')
    .params(params)
    .body(collectionRequest)
    .returns(200, collectionResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, collectionId }, body }) => app.putCollection(storeId, collectionId, body)),
  route
    .delete(path)
    .admin()
    .tag('Catalog')
    .summary('Delete a collection', 'Its products are not deleted.')
    .params(params)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params: { storeId, collectionId } }) => app.deleteCollection(storeId, collectionId)),
];
