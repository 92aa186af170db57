import { route } from '../route.ts';
import { collectionRequest, collectionResponse } from './collection.ts';

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
