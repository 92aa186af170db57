export const MAX_SLUG_LENGTH = 255;

/** A text of more characters is too long, whatever it folds to, and is not folded: one character may unfold into 18. */
const MAX_TEXT_LENGTH = 10_000;
const TOO_LONG = 'x'.repeat(MAX_SLUG_LENGTH + 1);

/** Room for the suffix of a derived slug. What all slugs derived from one base share is at least the rest. */
const SUFFIX_ROOM = 20;
const SHARED_LENGTH = MAX_SLUG_LENGTH - SUFFIX_ROOM;

/** Reordering a long run of combining marks takes quadratic time, so text is normalised piece by piece; the marks go anyway. */
const PIECE = /.{1,256}/gsu;

const fold = (piece: string): string =>
  piece
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

/**
 * A slug from any text: NFKD folded to ASCII, lower-cased, other runs to `-`, trimmed; null when nothing is left (decisions.md, Slug).
 * Of a text that gives more than MAX_SLUG_LENGTH characters, or has more than MAX_TEXT_LENGTH itself, it returns a text longer than the limit.
 */
export const normaliseSlug = (text: string): string | null => {
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

/** The base of the slugs that are derived from a name: the slug itself, then -2, -3, ...; null when the name gives none. */
export const derivedBase = (name: string): string | null => {
  const slug = normaliseSlug(name);
  return slug === null ? null : withSuffix(slug, '');
};

/** The first of `base`, `base-2`, `base-3`, ... that is not taken. */
export const deriveSlug = (base: string, isTaken: (slug: string) => boolean): string => {
  if (!isTaken(base)) return base;
  for (let n = 2; ; n += 1) {
    const slug = withSuffix(base, `-${String(n)}`);
    if (!isTaken(slug)) return slug;
  }
};

/** The range, by bytes, of all slugs that deriveSlug can try for the base: `low` is in it, `high` is not. */
export const derivedRange = (base: string): readonly [low: string, high: string] =>
  // `.` and `{` are the bytes that follow `-` and `z`. A long base is cut to make room for its number.
  base.length <= SHARED_LENGTH ? [base, `${base}.`] : [base.slice(0, SHARED_LENGTH), `${base.slice(0, SHARED_LENGTH)}{`];

/**
 * What slugs have in common that a derivation could confuse: the slug without its trailing numbers, cut before they are taken off, because a
 * number may itself be cut. Whoever claims a slug locks its family.
 */
export const slugFamily = (slug: string): string =>
  // eslint-disable-next-line regexp/no-super-linear-move -- its input has at most SHARED_LENGTH characters.
  slug.slice(0, SHARED_LENGTH).replace(/-[-\d]*$/, '');
