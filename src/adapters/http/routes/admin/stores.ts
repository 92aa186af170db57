import { z } from 'zod';

import { route, uuid } from '../../route.ts';
import { pageOfItems, pageQuery } from '../../schemas/page.ts';
import { newStore, store, storeChanges } from '../../schemas/store.ts';

const storeParams = z.object({ storeId: uuid });

export const storeRoutes = [
  route
    .post('/admin/stores')
    .admin()
    .tag('Stores')
    .summary('Create a store', '409 when another store has the domain.')
    .body(newStore)
    .returns(201, store)
    .refuses('conflict')
    .handle((app, { body }) => app.createStore(body)),
  route
    .get('/admin/stores')
    .admin()
    .tag('Stores')
    .summary('List the stores', 'The oldest first.')
    .query(pageQuery)
    .returns(200, pageOfItems(store, 'StorePage'))
    .handle((app, { query }) => app.listStores(query)),
  route
    .get('/admin/stores/:storeId')
    .admin()
    .tag('Stores')
    .summary('Get a store', 'Finds a store of any status.')
    .params(storeParams)
    .returns(200, store)
    .refuses('not_found')
    .handle((app, { params }) => app.getStore(params.storeId)),
  route
    .patch('/admin/stores/:storeId')
    .admin()
    .tag('Stores')
    .summary(
      'Change a store',
      '409 when another store has the domain. When a store becomes inactive, every app gets 401 from the next request on.',
    )
    .params(storeParams)
    .body(storeChanges)
    .returns(200, store)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.updateStore(params.storeId, body)),
];
