import { describe, expect, it } from 'vitest';

import { double, int32, list, map, text } from '../../../src/domain/fields/kinds.ts';
import { part, perLocale, record } from '../../../src/domain/fields/record.ts';
import { firstWrong, planOf } from '../../../src/domain/catalogue/fields/walk.ts';
import { recordWithStored } from '../../../src/domain/catalogue/stored-fields.ts';

const TEXT = text({ max: 3 });
/** No record of the shop: what is declared is judged. */
const BENCH = part({
  note: TEXT,
  title: text({ max: 3, required: 'record' }),
  free: text({}),
  height: double({ format: 'price' }),
  weight: double({}),
  legs: list(part({ wood: TEXT, joints: list(part({ kind: TEXT, depth: double({ format: 'price' }) }), {}) }), {}),
  names: map(part({ name: TEXT }), {}),
  tags: list(text({}), {}),
});

describe('a rule of the declaration', () => {
  const lengths = planOf(BENCH, (field) => (field.kind === 'text' ? field.max : undefined));
  const prices = planOf(BENCH, (field) => (field.kind === 'number' ? field.format : undefined));
  const tooLong = (values: object) =>
    firstWrong(lengths, values, (value, max) => typeof value === 'string' && value.length > max)?.field ?? null;

  it.each<[string, object]>([
    ['title', { note: 'long', title: 'long' }],
    ['note', { note: 'long', legs: [{ wood: 'long' }] }],
    ['names.de.name', { names: { en: { name: 'x' }, de: { name: 'long' } }, legs: [{ wood: 'long' }] }],
    ['legs[1].wood', { legs: [{}, { wood: 'long' }] }],
    ['legs[1].joints[2].kind', { legs: [{ joints: [] }, { joints: [{}, {}, { kind: 'long' }] }] }],
  ])('is for values at any depth: %s', (field, values) => {
    expect(tooLong(values)).toBe(field);
  });

  it('is not for what is absent, null or without a limit', () => {
    expect(tooLong({ note: null, free: 'long', legs: null, names: { de: undefined }, tags: ['long'] })).toBeNull();
  });

  it('is for the fields that declare it', () => {
    const wrong = (values: object) => firstWrong(prices, values, (value) => Number(value) < 0)?.field ?? null;
    expect(wrong({ height: -1 })).toBe('height');
    expect(wrong({ weight: -1, legs: [{ joints: [{ depth: -1 }] }] })).toBe('legs[0].joints[0].depth');
  });
});

describe('what is stored', () => {
  const SHELF = part({
    texts: perLocale({ name: text({}), about: text({}) }),
    marks: list(part({ slug: text({}), size: int32({}) }), { key: ['slug'] }),
    plain: list(part({ slug: text({}), size: int32({}) }), {}),
    rows: list(record('Row', 1, { slug: text({}) }), { key: ['slug'] }),
  });

  it('fills in the parts of maps, and of lists with a key, by the declaration', () => {
    const stored = {
      texts: { de: { name: 'Brett', about: 'Holz' } },
      ...{ marks: [{ slug: 'a', size: 1 }], plain: [{ slug: 'a', size: 1 }], rows: [{ slug: 'a', id: 'x' }] },
    };
    const given = { texts: { de: { about: 'Eiche' } }, marks: [{ slug: 'a' }], plain: [{ slug: 'a' }], rows: [{ slug: 'a' }] };
    expect(recordWithStored(SHELF, given, stored)).toEqual({
      ...given,
      texts: { de: { name: 'Brett', about: 'Eiche' } },
      marks: [{ slug: 'a', size: 1 }],
    });
  });
});
