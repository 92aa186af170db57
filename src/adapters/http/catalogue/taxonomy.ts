import { CATEGORY, TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { exampleId } from '../kit/example-record.ts';
import { answerOf, requestOf } from '../kit/records.ts';
import { route } from '../route.ts';

const categoryResponse = answerOf(CATEGORY);
const taxClassResponse = answerOf(TAX_CLASS);

const categoryRequest = requestOf(CATEGORY).meta({
  id: 'CategoryRequest',
  description: 'The parent must exist and must not be a descendant of this category.',
  examples: [{ name: 'Saws', parentId: exampleId(10), position: 1 }],
});

const taxClassRequest = requestOf(TAX_CLASS).meta({
  id: 'TaxClassRequest',
  examples: [{ name: 'Standard rate', code: 'standard', isDefault: true }],
});

const path = '/admin/stores/:storeId/categories/:categoryId';

export const adminCategoryRoutes = [
  route
    .put(path, 'putCategory')
    .admin('Catalog')
    .summary('Create or replace a category', 'Slugs are unique within a store.')
    .body(categoryRequest)
    .returns(200, categoryResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, body, cause }) => app.putCategory(cause, storeId, categoryId, body)),
  route
    .delete(path, 'deleteCategory')
    .admin('Catalog')
    .summary(
      'Delete a category',
      'A category that has products, or is the parent of other categories, is not deleted: move those first.',
    )
    .returnsNothing()
    .refuses('not_found', 'conflict')
    .handle((app, { params: { storeId, categoryId }, cause }) => app.deleteCategory(cause, storeId, categoryId)),
  route
    .put('/admin/stores/:storeId/tax-classes/:taxClassId', 'putTaxClass')
    .admin('Catalog')
    .summary('Create or replace a tax class', 'Codes are unique within a store.')
    .body(taxClassRequest)
    .returns(200, taxClassResponse)
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { params: { storeId, taxClassId }, body, cause }) => app.putTaxClass(cause, storeId, taxClassId, body)),
];
