import { ok, refuse, type Result } from '../result.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';

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
const foldText = (text: string): string =>
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
const asciiSlug = (text: string): string | null =>
  text
    .replace(LONG_MARKS, '$1')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || null;

export const MAX_SLUG_LENGTH = 255;

/** A longer text is refused unfolded, because one character may unfold into 18. */
const MAX_TEXT_LENGTH = 10_000;
const TOO_LONG = 'x'.repeat(MAX_SLUG_LENGTH + 1);

/**
 * The longest suffix of a derived slug. All slugs derived from one base share the characters before
 * it.
 */
const MAX_SUFFIX_LENGTH = 20;
const SHARED_LENGTH = MAX_SLUG_LENGTH - MAX_SUFFIX_LENGTH;

/** Folding changes nothing of such a text. Most slugs of a file are of this kind. */
const FOLDED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The first characters of a slug. The cut is between characters, not within one of two UTF-16 units. */
const firstOf = (slug: string, count: number): string =>
  slug.length <= count
    ? slug
    : Array.from(slug.slice(0, 2 * count))
        .slice(0, count)
        .join('');

/** The text folded to a slug. Null when nothing remains. */
const fold = (text: string): string | null => {
  if (text.length <= MAX_SLUG_LENGTH && FOLDED.test(text)) return text;
  if (text.length > MAX_TEXT_LENGTH) return TOO_LONG;
  // Nobody needs the rest of a slug that is too long.
  const slug = firstOf(foldText(text), MAX_SLUG_LENGTH + 2).replace(/-$/, '');
  return slug === '' ? null : slug;
};

/** Runs of percent-encoded bytes that are UTF-8. Shops write handles outside ASCII in this way. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

/**
 * A given text folded to a slug (docs/specification/catalogue.md, "Slugs"). Null when nothing
 * remains. When the slug or the text is too long, the result is longer than MAX_SLUG_LENGTH.
 */
export const normaliseSlug = (text: string): string | null =>
  fold(text.length <= MAX_TEXT_LENGTH && text.includes('%') ? percentDecoded(text) : text);

const IS_ASCII = /^[\x20-\x7e]*$/;

/**
 * The slug that version 0.1 made of the text: what was imported then has it. Null when it made none,
 * and undefined when it made the same as today.
 */
export const slugAsBefore = (text: string): string | null | undefined => {
  if (text.length > MAX_TEXT_LENGTH || (IS_ASCII.test(text) && !text.includes('%'))) return undefined;
  const before = asciiSlug(text);
  return before === normaliseSlug(text) ? undefined : before;
};

const withSuffix = (base: string, suffix: string): string =>
  firstOf(base, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '') + suffix;

export const parseSlug = (text: string, field = 'slug'): Result<string, 'slug_invalid' | 'field_too_long'> => {
  const slug = normaliseSlug(text);
  if (slug === null) return refuse('slug_invalid', `${field} must contain at least one letter or digit.`);
  return isLongerThan(slug, MAX_SLUG_LENGTH) ? refuse('field_too_long', `${field} ${lengthRule(MAX_SLUG_LENGTH)}.`) : ok(slug);
};

/**
 * The first slug to try for a name. The next ones end in -2, -3, ... Null when the name folds to
 * nothing.
 */
export const derivedBase = (name: string): string | null => {
  const slug = fold(name);
  return slug === null ? null : withSuffix(slug, '');
};

/** The first of `base`, `base-2`, `base-3`, ... that is free. */
export const deriveSlug = (base: string, isTaken: (slug: string) => boolean): string => {
  if (!isTaken(base)) return base;
  for (let n = 2; ; n += 1) {
    const slug = withSuffix(base, `-${String(n)}`);
    if (!isTaken(slug)) return slug;
  }
};

/** No character has bytes that come later. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * The range of all slugs that deriveSlug can try for the base, in byte order, from `low` to below
 * `high`.
 */
export const derivedRange = (base: string): readonly [low: string, high: string] => {
  const shared = firstOf(base, SHARED_LENGTH);
  // `.` is the byte that follows `-`. A long base is cut before its number.
  return shared === base ? [base, `${base}.`] : [shared, shared + LAST_CHARACTER];
};

/**
 * The common part of all slugs that can be derived from one base: the slug without its trailing
 * numbers. It is cut first, because the cut may split a number. A transaction that claims a slug
 * locks its family.
 */
export const slugFamily = (slug: string): string =>
  // eslint-disable-next-line regexp/no-super-linear-move -- its input has at most SHARED_LENGTH characters.
  firstOf(slug, SHARED_LENGTH).replace(/-[-\d]*$/, '');
