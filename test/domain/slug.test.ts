import { describe, expect, it } from 'vitest';

import { derivedBase, deriveSlug, normaliseSlug, slugFamily } from '../../src/domain/slug.ts';

describe('NFKD folded to ASCII, lower-cased, other runs to `-`, trimmed', () => {
  it.each([
    ['Dovetail Saw', 'dovetail-saw'],
    ['Éclair & Co', 'eclair-co'],
    ['ﬁne Ⅳ ½', 'fine-iv-1-2'],
    ['  --a__b--  ', 'a-b'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['木工', null],
    ['', null],
    ['---', null],
  ])('%j is %j', (text, slug) => {
    expect(normaliseSlug(text)).toBe(slug);
  });
});

describe('only a derived slug gets `-2`, `-3`', () => {
  it.each([
    [[], 'saw'],
    [['saw'], 'saw-2'],
    [['saw', 'saw-2'], 'saw-3'],
    [['saw', 'saw-3'], 'saw-2'],
  ])('with %j taken: %s', (taken, slug) => {
    expect(deriveSlug('saw', (candidate) => taken.includes(candidate))).toBe(slug);
  });

  it('has 200 characters at most, its number included, and no `-` before the cut', () => {
    expect(derivedBase('x'.repeat(300))).toBe('x'.repeat(200));
    expect(derivedBase(`${'x'.repeat(199)} y`)).toBe('x'.repeat(199));
    const base = `${'x'.repeat(197)}-yy`;
    expect(deriveSlug(base, (slug) => slug === base)).toBe(`${'x'.repeat(197)}-2`);
  });
});

describe('a slug and all that is derived from one base are of one family', () => {
  it.each([
    ['saw', 'saw'],
    ['saw-2', 'saw'],
    ['saw-2-3', 'saw'],
    ['2', '2'],
    ['saw-2b', 'saw-2b'],
  ])('%s: %s', (slug, family) => {
    expect(slugFamily(slug)).toBe(family);
  });

  it('also where the cut to 200 characters takes of the base', () => {
    const base = 'x'.repeat(200);
    const taken = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const slug = deriveSlug(base, (candidate) => taken.has(candidate));
      taken.add(slug);
      expect(slugFamily(slug)).toBe(slugFamily(base));
    }
    expect([...taken].every((slug) => slug.length <= 200)).toBe(true);
  });
});
