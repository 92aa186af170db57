import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { answerOf, documentOf, MAX_ELEMENTS } from '../kit/records.ts';

/** docs/specification/catalogue.md, "Product detail": every field. */
export const productResponse = answerOf(PRODUCT);

export const productDocument = documentOf(PRODUCT).meta({
  id: 'ProductDocument',
  description:
    `At most ${MAX_ELEMENTS.toLocaleString('en')} elements in any list. ` +
    'A PUT replaces the whole product. An import keeps the stored value of every omitted field; a list replaces the stored list, whose matching elements keep their omitted fields; null clears a field. An Active product needs a variant and a slug. Ids and times are used if given, otherwise taken from the stored element with the same natural key (SKU, name or URL), otherwise generated.',
  examples: [{ name: 'Dovetail saw', status: 'Active', variants: [{ sku: 'SAW-280', currency: 'EUR', price: 62.5 }] }],
});
