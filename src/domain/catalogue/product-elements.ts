import { completeElements } from './element.ts';
import { DIGITAL_ASSET, PRODUCT_CATEGORY, SPECIFICATION } from './fields/part-fields.ts';
import type { DigitalAsset, GivenElement, ProductCategory, Specification } from './product.ts';
import type { Completion } from './write-context.ts';

export const completeDigitalAssets = (completion: Completion): DigitalAsset[] =>
  completeElements<DigitalAsset, GivenElement<'digitalAssets'>>(
    completion,
    completion.document.digitalAssets,
    completion.current?.digitalAssets ?? [],
    {
      record: DIGITAL_ASSET,
      field: 'digitalAssets',
      key: ({ storageKey, fileName }) => storageKey ?? fileName,
      rules: {
        fileName: ({ fileName, storageKey }) => fileName ?? storageKey,
        productId: () => completion.productId,
        storageKey: ({ fileName, storageKey }) => storageKey ?? fileName,
      },
    },
  );

export const completeProductCategories = (completion: Completion): ProductCategory[] =>
  completeElements<ProductCategory, GivenElement<'productCategories'>>(
    completion,
    completion.document.productCategories,
    completion.current?.productCategories ?? [],
    {
      record: PRODUCT_CATEGORY,
      field: 'productCategories',
      key: ({ categoryId }) => categoryId,
      rules: { productId: () => completion.productId },
    },
  );

export const completeSpecifications = (completion: Completion): Specification[] =>
  completeElements<Specification, GivenElement<'specifications'>>(
    completion,
    completion.document.specifications,
    completion.current?.specifications ?? [],
    {
      record: SPECIFICATION,
      field: 'specifications',
      key: ({ name }) => name,
      rules: { productId: () => completion.productId },
    },
  );
