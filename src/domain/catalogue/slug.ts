import { ok, refuse, type Result } from '../result.ts';
import { lengthRule } from '../values/text.ts';

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

/** Normalising a long run of combining marks takes quadratic time, so text is folded in pieces. */
const PIECE = /.{1,256}/gsu;

const fold = (piece: string): string =>
  piece
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/** Folding changes nothing of such a text. Most slugs of a file are of this kind. */
const FOLDED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * The text folded to a slug (docs/specification/catalogue.md, "Slugs"): NFKD folded to ASCII,
 * lower-cased, other runs to `-`, trimmed. Null when nothing remains. When the slug or the text is
 * too long, the result is longer than MAX_SLUG_LENGTH.
 */
export const normaliseSlug = (text: string): string | null => {
  if (text.length <= MAX_SLUG_LENGTH && FOLDED.test(text)) return text;
  if (text.length > MAX_TEXT_LENGTH) return TOO_LONG;
  let slug = '';
  for (const [piece] of text.matchAll(PIECE)) {
    const folded = fold(piece);
    slug += slug === '' || slug.endsWith('-') ? folded.replace(/^-/, '') : folded;
    if (slug.length > MAX_SLUG_LENGTH + 1) break;
  }
  slug = slug.replace(/-$/, '');
  return slug === '' ? null : slug;
};

const withSuffix = (base: string, suffix: string): string =>
  base.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '') + suffix;

export const parseSlug = (text: string, field = 'slug'): Result<string, 'slug_invalid' | 'field_too_long'> => {
  const slug = normaliseSlug(text);
  if (slug === null) return refuse('slug_invalid', `${field} must contain at least one ASCII letter or digit.`);
  return slug.length > MAX_SLUG_LENGTH ? refuse('field_too_long', `${field} ${lengthRule(MAX_SLUG_LENGTH)}.`) : ok(slug);
};

/**
 * The first slug to try for a name. The next ones end in -2, -3, ... Null when the name folds to
 * nothing.
 */
export const derivedBase = (name: string): string | null => {
  const slug = normaliseSlug(name);
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

/**
 * The range of all slugs that deriveSlug can try for the base, in byte order, from `low` to below
 * `high`.
 */
export const derivedRange = (base: string): readonly [low: string, high: string] =>
  // `.` and `{` are the bytes that follow `-` and `z`. A long base is cut before its number.
  base.length <= SHARED_LENGTH ? [base, `${base}.`] : [base.slice(0, SHARED_LENGTH), `${base.slice(0, SHARED_LENGTH)}{`];

/**
 * The common part of all slugs that can be derived from one base: the slug without its trailing
 * numbers. It is cut first, because the cut may split a number. A transaction that claims a slug
 * locks its family.
 */
export const slugFamily = (slug: string): string =>
  // eslint-disable-next-line regexp/no-super-linear-move -- its input has at most SHARED_LENGTH characters.
  slug.slice(0, SHARED_LENGTH).replace(/-[-\d]*$/, '');
