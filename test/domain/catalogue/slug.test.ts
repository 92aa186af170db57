import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import {
  derivedBase,
  derivedRange,
  deriveSlug,
  normaliseSlug,
  parseSlug,
  slugAsBefore,
  slugFamily,
} from '../../../src/domain/catalogue/slug.ts';
import { ok, refuse } from '../../../src/domain/result.ts';

describe('letters and digits in lower case, other runs to `-`, trimmed', () => {
  it.each([
    ['Dovetail Saw', 'dovetail-saw'],
    ['Éclair & Co', 'eclair-co'],
    ['ﬁne Ⅳ ½', 'fine-iv-1-2'],
    ['  --a__b--  ', 'a-b'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['', null],
    ['---', null],
  ])('%j is %j', (text, slug) => {
    expect(normaliseSlug(text)).toBe(slug);
  });

  it.each([
    ['Cyrillic', 'Ёлка & Йогурт', 'ёлка-йогурт'],
    ['Chinese', '木工', '木工'],
    ['Japanese', 'カメラ・レンズ が', 'カメラ-レンズ-が'],
    ['halfwidth Japanese', 'ﾊﾝｶｸ ＡＢＣ', 'ハンカク-abc'],
    ['Arabic', 'كِتَاب ٣', 'كِتَاب-٣'],
    ['Persian', 'می\u200cخواهم', 'می-خواهم'],
    ['Hebrew', 'שלום עולם', 'שלום-עולם'],
    ['Thai', 'ไทย ที่นี่', 'ไทย-ที่นี่'],
    ['Korean', '한국어 키보드', '한국어-키보드'],
    ['Greek', 'Ελληνικά', 'ελληνικά'],
    ['Hindi', 'हिन्दी', 'हिन्दी'],
    ['Sinhala, with a joiner in a word', 'ක්\u200dෂ', 'ක්ෂ'],
  ])('keeps %s: %s', (_, text, slug) => {
    expect([normaliseSlug(text), normaliseSlug(text.normalize('NFD'))]).toEqual([slug, slug]);
  });

  it.each([
    ['straße WEIẞ', 'strasse-weiss'],
    ['Łódź', 'lodz'],
    ['đồng', 'dong'],
    ['ıstanbul İSTANBUL', 'istanbul-istanbul'],
    ['Ærø Œuvre Þór Ǿ', 'aero-oeuvre-thor-o'],
  ])('writes Latin letters out: %s', (text, slug) => {
    expect([normaliseSlug(text), normaliseSlug(text.normalize('NFD'))]).toEqual([slug, slug]);
  });

  it.each([
    ['нож%20%D1%82%D0%B5', 'нож-те'],
    ['%D1%82%d0%b5', 'те'],
    ['100%-cotton', '100-cotton'],
    ['%ff-%E0%A4%A', 'ff-e0-a4-a'],
    ['%00a', 'a'],
  ])('decodes a given text: %s', (text, slug) => {
    expect(normaliseSlug(text)).toBe(slug);
  });

  it('does not decode a name', () => {
    expect(derivedBase('%D1%82')).toBe('d1-82');
  });

  it.each([
    ['what is not seen', '\u3164\u200b\ufe0f', null],
    ['the form of a character', '葛\u{e0100}城 1\ufe0f\u20e3', '葛城-1'],
    ['a mark without its letter', '\u0301a \u0e31', 'a'],
    ['what looks like an apostrophe', 'Hawaiʻi м\u02bcята', 'hawai-i-м-ята'],
  ])('leaves out %s', (_, text, slug) => {
    expect(normaliseSlug(text)).toBe(slug);
  });

  it('changes no slug, and has only letters, digits and marks between single dashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary' }), (graphemes, others) => {
        const slug = normaliseSlug(graphemes + others.toWellFormed());
        if (slug === null) return;
        expect(normaliseSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u);
        expect([slug.normalize('NFC'), slug.toLowerCase()]).toEqual([slug, slug]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the slug that version 0.1 made of a text', () => {
  it.each<[string, string | null | undefined]>([
    ['saw', undefined],
    ['Éclair & Co', undefined],
    ['straße', 'stra-e'],
    ['iPhone чехол', 'iphone'],
    ['%D1%82%D0%B5', 'd1-82-d0-b5'],
    ['木工', null],
    ['!', undefined],
  ])('%s: %s', (text, slug) => {
    expect(slugAsBefore(text)).toBe(slug);
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
    const wide = '𠀀'.repeat(254);
    expect(derivedBase(`${wide} y`)).toBe(wide);
    expect(deriveSlug(`${wide}𠀁`, (slug) => slug === `${wide}𠀁`)).toBe(`${'𠀀'.repeat(253)}-2`);
  });
});

describe('the slug of a field', () => {
  it.each([['x'.repeat(255)], [`${'x'.repeat(255)}--`], ['Äx'], ['𠀀'.repeat(255)], ['ж'.repeat(255)]])(
    'is folded: %j',
    (text) => {
      expect(parseSlug(text)).toEqual(ok(normaliseSlug(text)));
    },
  );

  it('has at most 255 characters', () => {
    expect(parseSlug('x'.repeat(256))).toEqual(refuse('field_too_long', 'slug must have at most 255 characters.'));
    for (const letter of ['ж', '𠀀']) expect(parseSlug(letter.repeat(256))).toMatchObject({ code: 'field_too_long' });
    expect(parseSlug('x'.repeat(256), 'handle')).toMatchObject({ message: 'handle must have at most 255 characters.' });
  });

  it('has at least one letter or digit', () => {
    const message = 'slug must contain at least one letter or digit.';
    expect(parseSlug('☃')).toEqual(refuse('slug_invalid', message));
    expect(parseSlug('-', 'handle')).toMatchObject({ message: 'handle must contain at least one letter or digit.' });
  });

  it('is not derived from a name that folds to nothing', () => {
    expect(derivedBase('☃')).toBeNull();
  });
});

/** Slugs sort by their bytes. */
const isWithin = ([low, high]: readonly [string, string], slug: string): boolean =>
  Buffer.compare(Buffer.from(low), Buffer.from(slug)) <= 0 && Buffer.compare(Buffer.from(slug), Buffer.from(high)) < 0;

describe('the range of the slugs that are derived from a base', () => {
  it.each([['saw'], ['x'.repeat(234)], ['x'.repeat(235)], ['пила'], ['𠀀'.repeat(235)]])(
    'has no slug of another base: %s',
    (base) => {
      const others = ['a', '0', 'z', 'ж', '日', '\uffdc', '𠀀', '\u{10fffd}'].map((more) => base + more);
      for (const other of [...others, Array.from(base).slice(0, -1).join('')])
        expect(isWithin(derivedRange(base), other)).toBe(false);
      for (const own of [base, `${base}-2`, `${base}-10`]) expect(isWithin(derivedRange(base), own)).toBe(true);
    },
  );

  it.each(['x', 'ж', '𠀀'])('begins with what all of them share where the base may be cut: %s', (letter) => {
    const shared = letter.repeat(235);
    const range = derivedRange(`${shared}y`);
    expect(range[0]).toBe(shared);
    for (const more of ['y', 'z', 'ж', '\uffdc', '\u{10fffd}', '-2']) expect(isWithin(range, shared + more)).toBe(true);
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
    ['𠀀'.repeat(255)],
    [`${'𠀀'.repeat(252)}-1`],
    [`${'ж'.repeat(234)}-${'𠀀'.repeat(20)}`],
  ])('also where the cut to 255 characters shortens the base: %s', (base) => {
    const taken = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const slug = deriveSlug(base, (candidate) => taken.has(candidate));
      taken.add(slug);
      expect(slugFamily(slug)).toBe(slugFamily(base));
      expect(isWithin(derivedRange(base), slug)).toBe(true);
      expect(normaliseSlug(slug)).toBe(slug);
    }
    expect([...taken].every((slug) => Array.from(slug).length <= 255)).toBe(true);
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
    for (const text of [
      'x'.repeat(256),
      `${'x'.repeat(255)}-y`,
      'ﷺ'.repeat(300) + 'x'.repeat(256),
      'x'.repeat(9_999),
      '𠀀'.repeat(256),
    ]) {
      expect(Array.from(normaliseSlug(text) ?? '').length).toBeGreaterThan(255);
    }
    expect(normaliseSlug(`${'x'.repeat(255)}--`)).toHaveLength(255);
  });
});
