import { MAX_STOCK_CHANGES } from '../../../../domain/catalogue/variant-change.ts';
import { route } from '../../route.ts';
import { variantBulkExamples, variantBulkRequest, variantBulkResponse } from '../../schemas/variant-bulk.ts';

export const variantRoutes = [
  route
    .post('/apps/catalog/variants/bulk')
    .oneOfScopes(['write_products', 'write_inventory'], 'Catalog')
    .summary(
      'Update prices and stock in bulk',
      'A price needs `write_products`, and stock needs `write_inventory`. Each variant is updated completely or not at all. ' +
        'A failed variant has an error in its result and is counted in `failed`. ' +
        `All variants together can have at most ${MAX_STOCK_CHANGES} elements of \`stock\`.`,
    )
    .idempotent()
    .bulk('variants')
    .body(variantBulkRequest)
    .returns(200, variantBulkResponse)
    .refuses('invalid')
    .example({ body: variantBulkExamples.request, response: variantBulkExamples.response })
    .handle((app, { tx, caller, body }) => app.updateVariants(tx, caller, body.variants)),
];
