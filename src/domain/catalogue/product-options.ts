import { completeElements } from './element.ts';
import { OPTION, OPTION_VALUE } from './fields/part-fields.ts';
import type { GivenElement, ProductOption, ProductOptionValue } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenOption = GivenElement<'options'>;
type GivenValue = NonNullable<GivenOption['values']>[number];

export const completeOptions = (completion: Completion): ProductOption[] =>
  completeElements<ProductOption, GivenOption>(completion, completion.document.options, completion.current?.options ?? [], {
    record: OPTION,
    field: 'options',
    key: ({ name }) => name,
    rules: {
      productId: () => completion.productId,
      values: ({ values }, { id, field, before }) =>
        completeElements<ProductOptionValue, GivenValue>(completion, values, before?.values ?? [], {
          record: OPTION_VALUE,
          field: `${field}.values`,
          key: ({ value }) => value,
          rules: { productOptionId: () => id },
        }),
    },
  });
