import { ok, refuse, type Result } from '../result.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';
import { badPortOf, parseUrl, MAX_URL_LENGTH } from '../values/url.ts';
import type { ItemContent } from './media-import.ts';

export const MAX_ITEMS = 20;
export const MAX_ALT_TEXT_LENGTH = 1000;

export interface ItemInput {
  readonly sourceUrl: string;
  readonly productId: string;
  readonly productVariantId?: string | null | undefined;
  readonly altText?: string | null | undefined;
  readonly position?: number | null | undefined;
  readonly aiGenerated?: boolean | undefined;
}

const HTTP_URL = /^https?:\/\/[^/]/i;

/**
 * The rule that an address breaks, without regard to its host. The host is judged when it is
 * dialled.
 */
const sourceRule = (text: string): string | null => {
  if (isLongerThan(text, MAX_URL_LENGTH)) return lengthRule(MAX_URL_LENGTH);
  const url = parseUrl(text);
  // The parser would strip blanks and repair other errors.
  if (!HTTP_URL.test(text) || /[\s\p{Cc}]/u.test(text) || !url) return 'must be an absolute https URL';
  if (badPortOf(url) !== null) return `must not use port ${url.port}, which belongs to another protocol`;
  const { username, password } = url;
  return username === '' && password === '' ? null : 'must not contain credentials';
};

const parseItem = (input: ItemInput, field: string): Result<ItemContent, 'invalid'> => {
  const { productVariantId = null, altText = null, position = null, aiGenerated = false, ...item } = input;
  const rule = sourceRule(item.sourceUrl);
  if (rule !== null) return refuse('invalid', `${field}.sourceUrl ${rule}.`);
  if (altText !== null && isLongerThan(altText, MAX_ALT_TEXT_LENGTH)) {
    return refuse('invalid', `${field}.altText ${lengthRule(MAX_ALT_TEXT_LENGTH)}.`);
  }
  return ok({ ...item, productVariantId, altText, position, aiGenerated });
};

export const parseItems = (inputs: readonly ItemInput[]): Result<ItemContent[], 'invalid'> => {
  if (inputs.length === 0 || inputs.length > MAX_ITEMS) {
    return refuse('invalid', `items must have 1 to ${MAX_ITEMS} elements.`);
  }
  const items: ItemContent[] = [];
  for (const [index, input] of inputs.entries()) {
    const parsed = parseItem(input, `items[${index}]`);
    if (!parsed.ok) return parsed;
    items.push(parsed.value);
  }
  return ok(items);
};
