import { MAX_STOCK_CHANGES } from '../../../domain/catalogue/variant-change.ts';
import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { asCursorPage } from '../kit/cursor.ts';
import { variantBulkExamples, variantBulkRequest, variantBulkResponse } from './variant-bulk.ts';
import { variantListQuery, variantPage } from './variant-list.ts';

export const variantRoutes = [
  route
    .get('/apps/catalog/variants', 'listVariants')
    .scope('read_products', 'Catalog')
    .summary(
      'Find variants',
      'Lists the variants with these SKUs or ids, of all products of the store, as their products show them. Several variants may have the same SKU.',
    )
    .query(variantListQuery)
    .returns(200, variantPage)
    .refuses('invalid')
    .handle(async (app, { caller, query: { names, after, take } }) => {
      const found = await app.findVariants(caller.storeId, names, after, take);
      return ok(asCursorPage(found.value));
    }),
  route
    .post('/apps/catalog/variants/bulk', 'bulkUpdateVariants')
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
