import { expect, it } from 'vitest';

import { productIds } from '../../console/pages/products/product-ids.ts';

const PRODUCT = 'de300000-0000-4000-8000-000000000001';

it('names only what is an id of a product, each once', () => {
  const about = [
    { type: 'product.updated', resourceId: PRODUCT },
    { type: 'inventory.updated', resourceId: PRODUCT },
    { type: 'order.paid', resourceId: 'de300000-0000-4000-8000-000000000002' },
    { type: 'product.updated', resourceId: null },
    // Not of a version that the API takes.
    { type: 'product.updated', resourceId: '0eaf1f4f-e9c9-dc41-b797-52667bc96f62' },
    { type: 'product.updated', resourceId: 'order-1001' },
  ];
  expect(productIds(about)).toEqual([PRODUCT]);
});
