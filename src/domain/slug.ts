export const MAX_SLUG_LENGTH = 200;

/** A slug from any text: NFKD folded to ASCII, lower-cased, other runs to `-`, trimmed; null when nothing is left (decisions.md, Slug). */
export const normaliseSlug = (text: string): string | null => {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
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

/** What slugs have in common that a derivation could confuse: the slug without its trailing numbers. Whoever claims a slug locks its family. */
export const slugFamily = (slug: string): string => slug.replace(/(-\d+)+$/, '').slice(0, MAX_SLUG_LENGTH - 20);
