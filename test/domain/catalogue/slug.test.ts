import { describe, expect, it, vi } from 'vitest';

import {
  derivedBase,
  derivedRange,
  deriveSlug,
  normaliseSlug,
  parseSlug,
  slugFamily,
} from '../../../src/domain/catalogue/slug.ts';
import { ok, refuse } from '../../../src/domain/result.ts';

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

  it('has at most 255 characters with its number, and no `-` before the cut', () => {
    expect(derivedBase('x'.repeat(300))).toBe('x'.repeat(255));
    expect(derivedBase(`${'x'.repeat(254)} y`)).toBe('x'.repeat(254));
    const base = `${'x'.repeat(252)}-yy`;
    expect(deriveSlug(base, (slug) => slug === base)).toBe(`${'x'.repeat(252)}-2`);
  });
});

describe('the slug of a field', () => {
  it.each([['x'.repeat(255)], [`${'x'.repeat(255)}--`], ['Äx']])('is folded: %j', (text) => {
    expect(parseSlug(text)).toEqual(ok(normaliseSlug(text)));
  });

  it('has at most 255 characters', () => {
    expect(parseSlug('x'.repeat(256))).toEqual(refuse('field_too_long', 'slug must have at most 255 characters.'));
    expect(parseSlug('x'.repeat(256), 'handle')).toMatchObject({ message: 'handle must have at most 255 characters.' });
  });

  it('has at least one letter or digit', () => {
    const message = 'slug must contain at least one ASCII letter or digit.';
    expect(parseSlug('木工')).toEqual(refuse('slug_invalid', message));
    expect(parseSlug('-', 'handle')).toMatchObject({ message: 'handle must contain at least one ASCII letter or digit.' });
  });

  it('is not derived from a name that folds to nothing', () => {
    expect(derivedBase('木工')).toBeNull();
  });
});

describe('the range of the slugs that are derived from a base', () => {
  it.each([['saw'], ['x'.repeat(234)], ['x'.repeat(235)]])('has no slug of another base: %s', (base) => {
    const [low, high] = derivedRange(base);
    for (const other of [`${base}a`, `${base}0`, `${base}z`, base.slice(0, -1)]) expect(low <= other && other < high).toBe(false);
    for (const own of [base, `${base}-2`, `${base}-10`]) expect(low <= own && own < high).toBe(true);
  });

  it('begins with what all of them share where the base may be cut', () => {
    const shared = 'x'.repeat(235);
    expect(derivedRange(`${shared}y`)).toEqual([shared, `${shared}{`]);
  });
});

describe('a slug and all slugs derived from one base are of one family', () => {
  it.each([
    ['saw', 'saw'],
    ['saw-2', 'saw'],
    ['saw-2-3', 'saw'],
    ['2', '2'],
    ['saw-2b', 'saw-2b'],
  ])('%s: %s', (slug, family) => {
    expect(slugFamily(slug)).toBe(family);
  });

  // The cut may fall into a number of the base, onto a dash, or leave only a number.
  it.each([
    ['x'.repeat(255)],
    [`${'x'.repeat(225)}-${'1'.repeat(28)}a`],
    [`${'x'.repeat(252)}-1`],
    [`${'x'.repeat(233)}-2b${'y'.repeat(19)}`],
    [`${'x'.repeat(234)}-${'y'.repeat(20)}`],
    ['x'.repeat(234)],
    ['x'.repeat(235)],
    [`${'x'.repeat(233)}-9`],
    [`1${'-1'.repeat(127)}`],
  ])('also where the cut to 255 characters shortens the base: %s', (base) => {
    const [low, high] = derivedRange(base);
    const taken = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const slug = deriveSlug(base, (candidate) => taken.has(candidate));
      taken.add(slug);
      expect(slugFamily(slug)).toBe(slugFamily(base));
      expect(low <= slug && slug < high).toBe(true);
    }
    expect([...taken].every((slug) => slug.length <= 255)).toBe(true);
  });
});

describe('a slug of any length costs linear time', () => {
  // A megabyte took minutes; a second of linear work is 20 times what it needs on a slow machine, and the bound is ten seconds.
  it.each([
    ['combining marks', 'a' + '\u0301\u0323'.repeat(500_000)],
    ['letters', 'x'.repeat(1_000_000)],
    ['dashes', '-'.repeat(1_000_000)],
    ['dashes and marks', '-\u0301'.repeat(500_000)],
  ])('%s', (_, text) => {
    const start = performance.now();
    normaliseSlug(text);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('is the same as when the text is normalised at once, also where a piece ends', () => {
    const whole = (text: string) =>
      text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
    for (let length = 250; length < 262; length += 1) {
      for (const tail of ['é x', '--y', '𝐀b', 'e\u0301z', 'ﬁ', ' ']) {
        const text = '!'.repeat(length - 100) + 'a'.repeat(100) + tail;
        expect(normaliseSlug(text)).toBe(whole(text));
      }
    }
  });

  it('a text of more than 10,000 characters is too long and is not folded', () => {
    const fold = vi.spyOn(String.prototype, 'normalize');
    try {
      expect(normaliseSlug('\ufdfa'.repeat(10_001))?.length).toBeGreaterThan(255);
      expect(fold).not.toHaveBeenCalled();
    } finally {
      fold.mockRestore();
    }
    expect(normaliseSlug(`a${'!'.repeat(9_999)}`)).toBe('a');
  });

  it('a text that gives more than 255 characters stays longer than 255', () => {
    for (const text of ['x'.repeat(256), `${'x'.repeat(255)}-y`, 'ﷺ'.repeat(300) + 'x'.repeat(256), 'x'.repeat(9_999)]) {
      expect(normaliseSlug(text)?.length).toBeGreaterThan(255);
    }
    expect(normaliseSlug(`${'x'.repeat(255)}--`)).toHaveLength(255);
  });
});
