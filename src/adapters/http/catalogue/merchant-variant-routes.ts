import { merchantOf } from '../../../application/catalogue/update-variants.ts';
import { route } from '../route.ts';
import { variantBulkExamples, variantBulkRequest, variantBulkResponse } from './variant-bulk.ts';

export const adminVariantRoutes = [
  route
    .post('/admin/stores/:storeId/variants/bulk', 'bulkUpdateVariants')
    .admin('Catalog')
    .summary(
      'Update prices and stock in bulk',
      'As in the app API. The merchant may change prices and stock, and the key belongs to the store: no app has it.',
    )
    .idempotent()
    .bulk('variants')
    .body(variantBulkRequest)
    .audits((app, { storeId }, { variants }) => app.getVariantFigures(storeId, variants))
    .returns(200, variantBulkResponse)
    .refuses('invalid', 'not_found')
    .example({ body: variantBulkExamples.request, response: variantBulkExamples.response })
    .handle((app, { tx, params: { storeId }, body }) => app.updateVariants(tx, merchantOf(storeId), body.variants)),
];
