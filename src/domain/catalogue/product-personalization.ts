import { completeElements } from './element.ts';
import { PERSONALIZATION_FIELD } from './fields/part-fields.ts';
import type { GivenElement, PersonalizationField } from './product.ts';
import { listWithStored } from './stored-fields.ts';
import type { Completion } from './write-context.ts';

type GivenField = GivenElement<'personalizationFields'>;
type FieldOption = PersonalizationField['options'][number];
type GivenFieldOption = NonNullable<GivenField['options']>[number];

/**
 * The options of a field have no id. In an import each is filled in from the stored one of the same
 * value.
 */
const completeFieldOptions = (
  { faults, keepsStored }: Completion,
  given: readonly GivenFieldOption[],
  before: PersonalizationField | undefined,
  field: string,
): FieldOption[] => {
  const options = keepsStored && before ? listWithStored<GivenFieldOption>(given, before.options, 'value') : given;
  return options.map((option, index) => {
    const value = faults.required(option.value ?? option.label, `${field}.options[${index}].value`);
    return { label: option.label ?? value, surcharge: option.surcharge ?? 0, value };
  });
};

export const completePersonalizationFields = (completion: Completion): PersonalizationField[] =>
  completeElements<PersonalizationField, GivenField>(
    completion,
    completion.document.personalizationFields,
    completion.current?.personalizationFields ?? [],
    {
      record: PERSONALIZATION_FIELD,
      field: 'personalizationFields',
      key: ({ key, label }) => key ?? label,
      rules: {
        key: ({ key, label }) => key ?? label,
        label: ({ key, label }) => label ?? key,
        productId: () => completion.productId,
        options: ({ options }, { field, before }) => completeFieldOptions(completion, options ?? [], before, field),
      },
    },
  );
