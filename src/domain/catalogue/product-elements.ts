import { completeElements } from './element.ts';
import type { DigitalAsset, ProductCategory, ProductDocument, Sketch, Specification } from './product.ts';
import { completeTranslations } from './translations.ts';
import type { Completion } from './write-context.ts';

type GivenCategory = NonNullable<ProductDocument['productCategories']>[number];

export const completeDigitalAssets = (completion: Completion): DigitalAsset[] =>
  completeElements<DigitalAsset, Sketch<DigitalAsset>>(
    completion,
    completion.document.digitalAssets,
    completion.current?.digitalAssets ?? [],
    {
      key: ({ storageKey, fileName }) => storageKey ?? fileName,
      complete: (given, _id, index) => {
        const fileName = completion.faults.required(given.fileName ?? given.storageKey, `digitalAssets[${index}].fileName`);
        return {
          contentType: given.contentType ?? 'application/octet-stream',
          fileName,
          productId: completion.productId,
          sizeBytes: given.sizeBytes ?? 0,
          storageKey: given.storageKey ?? fileName,
        };
      },
    },
  );

export const completeProductCategories = (completion: Completion): ProductCategory[] =>
  completeElements<ProductCategory, GivenCategory>(
    completion,
    completion.document.productCategories,
    completion.current?.productCategories ?? [],
    {
      key: ({ categoryId }) => categoryId,
      complete: ({ categoryId }, _id, index) => ({
        categoryId: completion.faults.required(categoryId, `productCategories[${index}].categoryId`),
        productId: completion.productId,
      }),
    },
  );

export const completeSpecifications = (completion: Completion): Specification[] =>
  completeElements<Specification, Sketch<Specification>>(
    completion,
    completion.document.specifications,
    completion.current?.specifications ?? [],
    {
      key: ({ name }) => name,
      complete: (given, _id, index) => ({
        name: completion.faults.required(given.name, `specifications[${index}].name`),
        value: given.value ?? '',
        position: given.position ?? index,
        productId: completion.productId,
        translations: completeTranslations(given.translations, { name: null as string | null, value: null as string | null }),
      }),
    },
  );
