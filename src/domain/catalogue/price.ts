import { isExactNumber } from '../values/exact-number.ts';
import type { ProductDocument } from './product.ts';

export const MAX_PRICE = 999_999_999_999.99;
const PRICE_DECIMALS = 4;

/** The one rule for prices, surcharges and compare-at prices, as a public text. */
export const PRICE_RULE = `must be 0 to 999,999,999,999.99 with at most ${PRICE_DECIMALS} decimals`;

/** A double is written without an exponent here unless it has more than four decimals. */
const hasFewDecimals = (price: number): boolean => /^\d+(\.\d{1,4})?$/.test(String(price));

/** What is wrong with a price; null when nothing. */
export const priceFault = (price: number): string | null =>
  price >= 0 && price <= MAX_PRICE && hasFewDecimals(price) ? null : PRICE_RULE;

/** A price written as text, as a cell of a CSV file; null when it is not one by the same rule. */
export const parsePrice = (text: string): number | null => {
  if (!/^\d+(\.\d+)?$/.test(text) || !isExactNumber(text)) return null;
  const price = Number(text);
  return priceFault(price) === null ? price : null;
};

type Named = readonly [field: string, price: number | null | undefined];

const pricesOf = ({ variants = [], personalizationFields = [] }: ProductDocument): Named[] => [
  ...variants.flatMap(({ price, compareAtPrice }, index): Named[] => [
    [`variants[${index}].price`, price],
    [`variants[${index}].compareAtPrice`, compareAtPrice],
  ]),
  ...personalizationFields.flatMap(({ surcharge, options = [] }, index): Named[] => [
    [`personalizationFields[${index}].surcharge`, surcharge],
    ...options.map((option, at): Named => [`personalizationFields[${index}].options[${at}].surcharge`, option.surcharge]),
  ]),
];

/** The first price of the document that breaks the rule, as `variants[0].price: must be ...`; null when all keep it. */
export const documentPriceFault = (document: ProductDocument): string | null => {
  const [field] = pricesOf(document).find(([, price]) => price != null && priceFault(price) !== null) ?? [];
  return field === undefined ? null : `${field}: ${PRICE_RULE}`;
};
