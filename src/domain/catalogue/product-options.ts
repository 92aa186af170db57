import { completeElements } from './element.ts';
import type { ProductOption, ProductOptionValue, Sketch } from './product.ts';
import { completeTranslations } from './translations.ts';
import type { Completion } from './write-context.ts';

type GivenOption = Sketch<ProductOption>;

/** The option that its values belong to. */
interface Owner {
  readonly id: string;
  readonly index: number;
  readonly before: ProductOption | undefined;
}

const completeValues = (completion: Completion, given: GivenOption['values'], option: Owner): ProductOptionValue[] =>
  completeElements<ProductOptionValue, Sketch<ProductOptionValue>>(completion, given, option.before?.values ?? [], {
    key: ({ value }) => value,
    complete: (value, _id, index) => ({
      position: value.position ?? index,
      productOptionId: option.id,
      swatchHex: value.swatchHex ?? null,
      swatchImageKey: value.swatchImageKey ?? null,
      translations: completeTranslations(value.translations, { value: null as string | null }),
      value: completion.faults.required(value.value, `options[${option.index}].values[${index}].value`),
    }),
  });

export const completeOptions = (completion: Completion): ProductOption[] =>
  completeElements<ProductOption, GivenOption>(completion, completion.document.options, completion.current?.options ?? [], {
    key: ({ name }) => name,
    complete: (given, id, index, before) => ({
      name: completion.faults.required(given.name, `options[${index}].name`),
      position: given.position ?? index,
      productId: completion.productId,
      translations: completeTranslations(given.translations, { name: null as string | null }),
      values: completeValues(completion, given.values, { id, index, before }),
    }),
  });
