import { refuse, type Refusal } from '../result.ts';
import { isExactNumber } from '../values/exact-number.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { firstWrong, planOf } from './fields/walk.ts';
import type { ProductDocument, VariantDocument } from './product.ts';

const MAX_PRICE = 999_999_999_999.99;
const PRICE_DECIMALS = 4;

/**
 * The rule on prices, surcharges and compare-at prices, as a public text after the field's name.
 */
export const PRICE_RULE = `must be 0 to 999,999,999,999.99 with at most ${PRICE_DECIMALS} decimals`;

/** A double of this size is written without an exponent unless it has more than four decimals. */
const hasFewDecimals = (price: number): boolean => /^\d+(\.\d{1,4})?$/.test(String(price));

export const isPrice = (price: number): boolean => price >= 0 && price <= MAX_PRICE && hasFewDecimals(price);

/** A price from text, for example a cell of a CSV file; null when the text breaks the rule. */
export const parsePrice = (text: string): number | null => {
  if (!/^\d+(\.\d+)?$/.test(text) || !isExactNumber(text)) return null;
  const price = Number(text);
  return isPrice(price) ? price : null;
};

/** Compares the price with the one before the reduction. */
export const isReduced = ({ price = 0, compareAtPrice }: Pick<VariantDocument, 'price' | 'compareAtPrice'>): boolean =>
  compareAtPrice != null && compareAtPrice > price;

const PRICES = planOf(PRODUCT, (field) => (field.kind === 'number' ? field.format : undefined));

/** Refuses a document with a price that breaks the rule. */
export const checkPrices = (document: ProductDocument): Refusal<'invalid'> | null => {
  const wrong = firstWrong(PRICES, document, (price) => price != null && !isPrice(price as number));
  return wrong && refuse('invalid', `${wrong.field} ${PRICE_RULE}.`);
};
