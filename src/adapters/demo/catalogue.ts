import type { DemoCatalogue } from '../../application/fill-store.ts';
import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { categoryId, demoId, productId, slugOf, DEMO_TAX_CLASS } from './parts.ts';
import { demoProducts } from './products.ts';
import { DEMO_CATEGORIES } from './tables.ts';

/**
 * The nested lists of records. `options` are records in a product, but not in a personalization
 * field.
 */
const NESTED = [
  'bundleComponents',
  'allowedVariants',
  'digitalAssets',
  'media',
  'options',
  'values',
  'personalizationFields',
  'productCategories',
  'specifications',
  'variants',
  'optionValues',
  'inventory',
];

const withFixedIds = (product: ProductDocument, number: number): ProductDocument => {
  let count = 0;
  const fix = (record: object, keys: readonly string[]): object =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]: [string, unknown]) => {
        if (!keys.includes(key) || !Array.isArray(value)) return [key, value];
        const below = key === 'personalizationFields' ? [] : NESTED;
        return [
          key,
          value.map((element: object) => {
            count += 1;
            return { id: demoId('nested', number * 256 + count), createdAt: product.createdAt, ...fix(element, below) };
          }),
        ];
      }),
    );
  return fix(product, NESTED) as ProductDocument;
};

export const demoCatalogue = (currency: string): DemoCatalogue => {
  const products = demoProducts(currency).map((product, index) => withFixedIds(product, index + 1));
  const idsWith = (tag: string) => products.filter(({ tags }) => tags?.includes(tag)).map(({ id }) => id ?? '');
  return {
    taxClass: { id: DEMO_TAX_CLASS, name: 'Standard rate', code: 'standard', isDefault: true },
    categories: DEMO_CATEGORIES.map(([key, name, parent], position) => ({
      id: categoryId(key),
      name,
      slug: slugOf(name),
      parentId: parent === undefined ? null : categoryId(parent),
      position: position + 1,
    })),
    products,
    collections: [
      { id: demoId('collection', 1), title: 'Bestsellers', handle: 'bestsellers', productIds: idsWith('bestseller') },
      {
        id: demoId('collection', 2),
        title: 'Cutting your first dovetail',
        handle: 'first-dovetail',
        productIds: ['First dovetail kit', 'Dovetail saw', 'Marking knife', 'Course: hand-cut dovetails'].map(productId),
      },
    ],
    definition: {
      type: 'workshop',
      name: 'Workshop',
      fields: [
        { key: 'title', name: 'Title', type: 'single_line_text', required: true, validations: { maxLength: 120 } },
        { key: 'starts', name: 'Starts', type: 'date_time', required: true },
        { key: 'seats', name: 'Seats', type: 'integer', validations: { min: 1, max: 12 } },
        {
          key: 'level',
          name: 'Level',
          type: 'single_line_text',
          validations: { choices: ['beginner', 'intermediate', 'advanced'] },
        },
        { key: 'tools', name: 'Tools to bring', type: 'product_reference', list: true },
        { key: 'programme', name: 'Programme', type: 'rich_text' },
      ],
    },
  };
};
