/** Latin letters that do not decompose, as they are written in ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ĸ: 'k', ŋ: 'ng', ŧ: 't' },
  ...{ ƀ: 'b', ɓ: 'b', ƈ: 'c', ȼ: 'c', ɖ: 'd', ɗ: 'd', ǝ: 'e', ə: 'e', ɛ: 'e', ɇ: 'e', ƒ: 'f', ǥ: 'g', ɠ: 'g', ɣ: 'g' },
  ...{ ɨ: 'i', ɩ: 'i', ɉ: 'j', ƙ: 'k', ƚ: 'l', ɫ: 'l', ɲ: 'n', ƞ: 'n', ɔ: 'o', ɵ: 'o', ƥ: 'p', ɍ: 'r', ƭ: 't', ʈ: 't' },
  ...{ ʉ: 'u', ʊ: 'u', ʋ: 'v', ɏ: 'y', ƴ: 'y', ƶ: 'z', ȥ: 'z' },
};
const WRITTEN_OUT = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Normalising a longer run of combining marks takes quadratic time. No word has one. */
const LONG_MARKS = /(\p{M}{16})\p{M}+/gu;

/** A form of the character before, or a joiner within a word: not seen, so not a part of the slug. */
const UNSEEN = /\p{Variation_Selector}|(?<=\p{M})\u200d/gu;

/** Other characters that are not seen, and what looks like an apostrophe, are between words as today's ASCII is. */
const APART = /[\u02b0-\u02ff\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The words of the text with `-` between them. Letters that decompose to ASCII are folded, Latin
 * letters that do not decompose are written out, and all others are kept with their marks.
 */
export const foldText = (text: string): string =>
  text
    .replace(LONG_MARKS, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .replace(WRITTEN_OUT, (letter) => LETTERS[letter] ?? letter)
    .replace(/(?<=[a-z\d])\p{M}+/gu, '')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(APART, ' ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/(?<=^|-)\p{M}+/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');

/**
 * The slug of a text as version 0.1 folded it, to ASCII alone: products that it imported have such
 * slugs. Null when nothing remains.
 */
export const asciiSlug = (text: string): string | null =>
  text
    .replace(LONG_MARKS, '$1')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || null;
