import type { At, Special } from './element.ts';
import type { GivenElement, PersonalizationField, Product } from './product.ts';

type GivenField = GivenElement<'personalizationFields'>;

const fieldOptions = ({ options = [] }: GivenField, { missing }: At<PersonalizationField>): PersonalizationField['options'] =>
  options.map(({ value, label, surcharge }, index) => {
    const key = value ?? label ?? '';
    if (key === '') missing?.(`options[${index}].value`);
    return { label: label ?? key, surcharge: surcharge ?? 0, value: key };
  });

/** Lists whose elements have fields that follow from others. */
export const SPECIAL_LISTS: {
  readonly [L in 'digitalAssets' | 'personalizationFields']: Special<Product[L][number], GivenElement<L>>;
} = {
  digitalAssets: {
    rules: {
      fileName: ({ fileName, storageKey }) => fileName ?? storageKey,
      storageKey: ({ fileName, storageKey }) => storageKey ?? fileName,
    },
  },
  personalizationFields: {
    rules: {
      key: ({ key, label }) => key ?? label,
      label: ({ key, label }) => label ?? key,
      options: fieldOptions,
    },
  },
};
