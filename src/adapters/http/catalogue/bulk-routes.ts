import { route } from '../route.ts';
import { bulkRequest, bulkResponse } from './bulk.ts';

const id = '019a0000-0000-7000-8000-000000000001';

export const bulkRoutes = [
  route
    .post('/apps/catalog/products/bulk', 'bulkUpdateProducts')
    .scope('write_products', 'Catalog')
    .summary(
      'Update products in bulk',
      'Each product is updated completely or not at all. A failed product has an error in its result and is counted in `failed`.',
    )
    .idempotent()
    .bulk('products')
    .body(bulkRequest)
    .returns(200, bulkResponse)
    .refuses('invalid')
    .example({
      body: { products: [{ id, name: 'Dovetail saw, 280 mm', status: 'Active' }] },
      response: {
        requested: 1,
        succeeded: 1,
        failed: 0,
        slugsChanged: 0,
        results: [{ id, status: 'Updated', slug: 'dovetail-saw', previousSlug: null, error: null, errorCode: null }],
      },
    })
    .handle((app, { tx, caller, body }) => app.updateProducts(tx, caller, body.products)),
];
