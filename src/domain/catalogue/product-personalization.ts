/* eslint-disable complexity -- one default for each field: the `??` are a list without branches */
import { completeElements } from './element.ts';
import type { PersonalizationField, Sketch } from './product.ts';
import { listWithStored } from './stored-fields.ts';
import { completeTranslations } from './translations.ts';
import type { Completion } from './write-context.ts';

type GivenField = Sketch<PersonalizationField>;
type FieldOption = PersonalizationField['options'][number];

const NO_TEXTS: PersonalizationField['translations'][string] = {
  helpText: null,
  label: null,
  placeholder: null,
  optionLabels: null,
};

/**
 * The options of a field have no id. In an import each is filled in from the stored one of the same
 * value.
 */
const completeFieldOptions = (
  { faults, keepsStored }: Completion,
  given: readonly Sketch<FieldOption>[],
  before: PersonalizationField | undefined,
  field: string,
): FieldOption[] => {
  const options = keepsStored && before ? listWithStored<Sketch<FieldOption>>(given, before.options, 'value') : given;
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
      key: ({ key, label }) => key ?? label,
      complete: (given, _id, index, before) => {
        const field = `personalizationFields[${index}]`;
        const key = completion.faults.required(given.key ?? given.label, `${field}.key`);
        return {
          key,
          label: given.label ?? key,
          helpText: given.helpText ?? null,
          placeholder: given.placeholder ?? null,
          maxLength: given.maxLength ?? null,
          minValue: given.minValue ?? null,
          maxValue: given.maxValue ?? null,
          position: given.position ?? index,
          productId: completion.productId,
          required: given.required ?? false,
          surcharge: given.surcharge ?? 0,
          type: given.type ?? 'Text',
          options: completeFieldOptions(completion, given.options ?? [], before, field),
          translations: completeTranslations(given.translations, NO_TEXTS),
        };
      },
    },
  );
