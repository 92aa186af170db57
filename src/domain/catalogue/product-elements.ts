import type { At, Special } from './element.ts';
import { Pairs } from './pair-elements.ts';
import type { GivenElement, PersonalizationField, Product, ProductOption } from './product.ts';

type GivenField = GivenElement<'personalizationFields'>;

const fieldOptions = ({ options = [] }: GivenField, { missing }: At<PersonalizationField>): PersonalizationField['options'] =>
  options.map(({ value, label, surcharge }, index) => {
    const key = value ?? label ?? '';
    if (key === '') missing?.(`options[${index}].value`);
    return { label: label ?? key, surcharge: surcharge ?? 0, value: key };
  });

/** An option with another name and the same values is the same option. */
const findOption = (given: readonly GivenElement<'options'>[], current: readonly ProductOption[]) => {
  const values = (option: Pick<GivenElement<'options'>, 'values'>): string =>
    JSON.stringify((option.values ?? []).map(({ value }) => value).toSorted());
  const pairs = new Pairs(given, current);
  pairs.inOrder({ given: ({ name }) => name, current: ({ name }) => name });
  pairs.byUnique({ given: values, current: values });
  return (option: GivenElement<'options'>) => pairs.of(option);
};

/** Lists whose elements have fields that follow from others, or are found in a way of their own. */
export const SPECIAL_LISTS: {
  readonly [L in 'digitalAssets' | 'options' | 'personalizationFields']: Special<Product[L][number], GivenElement<L>>;
} = {
  digitalAssets: {
    rules: {
      fileName: ({ fileName, storageKey }) => fileName ?? storageKey,
      storageKey: ({ fileName, storageKey }) => storageKey ?? fileName,
    },
  },
  options: { matcher: findOption },
  personalizationFields: {
    rules: {
      key: ({ key, label }) => key ?? label,
      label: ({ key, label }) => label ?? key,
      options: fieldOptions,
    },
  },
};
