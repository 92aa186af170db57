/* eslint-disable max-lines -- defaults, one for each of the specification's fields: the `??` are a list, no branching */
import { completeElements, completeTranslations, needed } from './element.ts';
import type { Making } from './element.ts';
import type {
  BundleComponent,
  DigitalAsset,
  PersonalizationField,
  Product,
  ProductCategory,
  ProductDocument,
  ProductOption,
  Sketch,
  Specification,
} from './product.ts';
import { listWithStored } from './stored-fields.ts';

/** The current product's elements, none for a new one. */
const of = <
  K extends 'bundleComponents' | 'digitalAssets' | 'options' | 'personalizationFields' | 'productCategories' | 'specifications',
>(
  current: Product | null,
  list: K,
): Product[K] | [] => current?.[list] ?? [];

type Complete<T> = (document: ProductDocument, productId: string, current: Product | null, making: Making) => T[];

export const completeOptions: Complete<ProductOption> = (document, productId, current, making) =>
  completeElements(
    document.options,
    of(current, 'options'),
    making,
    { given: ({ name }) => name, current: ({ name }) => name },
    (given, base, index, before) => ({
      ...base,
      name: needed(given.name, `options[${String(index)}].name`),
      position: given.position ?? index,
      productId,
      translations: completeTranslations(given.translations, { name: null as string | null }),
      values: completeElements(
        given.values,
        before?.values ?? [],
        making,
        { given: ({ value }) => value, current: ({ value }) => value },
        (value, standard, at) => ({
          ...standard,
          position: value.position ?? at,
          productOptionId: base.id,
          swatchHex: value.swatchHex ?? null,
          swatchImageKey: value.swatchImageKey ?? null,
          translations: completeTranslations(value.translations, { value: null as string | null }),
          value: needed(value.value, `options[${String(index)}].values[${String(at)}].value`),
        }),
      ),
    }),
  );

export const completeBundleComponents: Complete<BundleComponent> = (document, productId, current, making) =>
  completeElements(
    document.bundleComponents,
    of(current, 'bundleComponents'),
    making,
    { given: ({ componentProductId }) => componentProductId, current: ({ componentProductId }) => componentProductId },
    (given, base, index, before) => ({
      ...base,
      componentProductId: needed(given.componentProductId, `bundleComponents[${String(index)}].componentProductId`),
      position: given.position ?? index,
      productId,
      allowedVariants: completeElements(
        given.allowedVariants,
        before?.allowedVariants ?? [],
        making,
        { given: ({ productVariantId }) => productVariantId, current: ({ productVariantId }) => productVariantId },
        (variant, standard, at) => ({
          ...standard,
          productBundleComponentId: base.id,
          productVariantId: needed(
            variant.productVariantId,
            `bundleComponents[${String(index)}].allowedVariants[${String(at)}].productVariantId`,
          ),
        }),
      ),
    }),
  );

export const completeDigitalAssets: Complete<DigitalAsset> = (document, productId, current, making) =>
  completeElements(
    document.digitalAssets,
    of(current, 'digitalAssets'),
    making,
    { given: (given) => given.storageKey ?? given.fileName, current: ({ storageKey }) => storageKey },
    (given, base, index) => {
      const fileName = needed(given.fileName ?? given.storageKey, `digitalAssets[${String(index)}].fileName`);
      return {
        ...base,
        contentType: given.contentType ?? 'application/octet-stream',
        fileName,
        productId,
        sizeBytes: given.sizeBytes ?? 0,
        storageKey: given.storageKey ?? fileName,
      };
    },
  );

type FieldOption = Sketch<PersonalizationField['options'][number]>;

const optionsOf = (
  given: readonly FieldOption[] | undefined,
  before: PersonalizationField | undefined,
  making: Making,
): readonly FieldOption[] =>
  making.keepsStored && given && before ? listWithStored<FieldOption>(given, before.options, 'value') : (given ?? []);

export const completePersonalizationFields: Complete<PersonalizationField> = (document, productId, current, making) =>
  completeElements(
    document.personalizationFields,
    of(current, 'personalizationFields'),
    making,
    { given: (given) => given.key ?? given.label, current: ({ key }) => key },
    (given, base, index, before) => {
      const key = needed(given.key ?? given.label, `personalizationFields[${String(index)}].key`);
      return {
        ...base,
        key,
        label: given.label ?? key,
        helpText: given.helpText ?? null,
        placeholder: given.placeholder ?? null,
        maxLength: given.maxLength ?? null,
        minValue: given.minValue ?? null,
        maxValue: given.maxValue ?? null,
        position: given.position ?? index,
        productId,
        required: given.required ?? false,
        surcharge: given.surcharge ?? 0,
        type: given.type ?? 'Text',
        options: optionsOf(given.options, before, making).map((option, at) => {
          const value = needed(
            option.value ?? option.label,
            `personalizationFields[${String(index)}].options[${String(at)}].value`,
          );
          return { label: option.label ?? value, surcharge: option.surcharge ?? 0, value };
        }),
        translations: completeTranslations<PersonalizationField['translations'][string]>(given.translations, {
          helpText: null,
          label: null,
          placeholder: null,
          optionLabels: null,
        }),
      };
    },
  );

export const completeProductCategories: Complete<ProductCategory> = (document, productId, current, making) =>
  completeElements(
    document.productCategories,
    of(current, 'productCategories'),
    making,
    { given: ({ categoryId }) => categoryId, current: ({ categoryId }) => categoryId },
    (given, base, index) => ({
      ...base,
      categoryId: needed(given.categoryId, `productCategories[${String(index)}].categoryId`),
      productId,
    }),
  );

export const completeSpecifications: Complete<Specification> = (document, productId, current, making) =>
  completeElements(
    document.specifications,
    of(current, 'specifications'),
    making,
    { given: ({ name }) => name, current: ({ name }) => name },
    (given, base, index) => ({
      ...base,
      name: needed(given.name, `specifications[${String(index)}].name`),
      value: given.value ?? '',
      position: given.position ?? index,
      productId,
      translations: completeTranslations(given.translations, { name: null as string | null, value: null as string | null }),
    }),
  );
