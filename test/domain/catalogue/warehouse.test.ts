import { describe, expect, it } from 'vitest';

import {
  decideWarehouses,
  MAX_WAREHOUSES,
  shownWarehouse,
  warehouseNames,
  type StoredWarehouse,
  type WarehouseChange,
} from '../../../src/domain/catalogue/warehouse.ts';

const stored = (more: Partial<StoredWarehouse> = {}): StoredWarehouse => ({
  ...{ id: 'a', name: 'North', code: 'N', country: 'DE', ...more },
});
const decide = (changes: readonly WarehouseChange[], before: readonly StoredWarehouse[] = []) => {
  const decided = decideWarehouses(changes, before);
  return decided.ok ? decided.value : expect.fail(decided.message);
};
const counts = { created: 0, updated: 0, unchanged: 0, removed: 0 };
const many = (count: number): StoredWarehouse[] =>
  Array.from({ length: count }, (_, n) => stored({ id: `w${String(n)}`, code: null, country: null }));

describe('what a request says of warehouses', () => {
  it('is inserted where nothing was said before', () => {
    const { saved, removed, report } = decide([{ id: 'a', name: 'North' }]);
    expect([saved, removed]).toEqual([[stored({ code: null, country: null })], []]);
    expect(report).toEqual({ ...counts, created: 1, items: [stored({ code: null, country: null })] });
  });
  it('changes the named ones alone, and of these the given fields alone', () => {
    const { saved, report } = decide([{ id: 'a', name: 'South' }], [stored(), stored({ id: 'b' })]);
    expect(saved).toEqual([stored({ name: 'South' })]);
    expect(report).toEqual({ ...counts, updated: 1, items: [stored({ name: 'South' })] });
  });
  it('is cleared by null', () => {
    const { saved, report } = decide([{ id: 'a', name: null, country: null }], [stored()]);
    expect(saved).toEqual([stored({ name: null, country: null })]);
    expect(report.items).toEqual([stored({ name: 'a', country: null })]);
  });
  it('is removed where nothing is left of it, and the warehouse has its id as its name', () => {
    const { saved, removed, report } = decide([{ id: 'a', name: null, code: null, country: null }], [stored()]);
    expect([saved, removed]).toEqual([[], ['a']]);
    expect(report).toEqual({ ...counts, removed: 1, items: [{ id: 'a', name: 'a', code: null, country: null }] });
  });
  it('is written once: the same request again changes nothing', () => {
    const changes = [{ id: 'a', name: 'North', code: 'N', country: 'DE' }, { id: 'b' }, { id: 'c', name: null }];
    const { saved, removed, report } = decide(changes, [stored()]);
    expect([saved, removed]).toEqual([[], []]);
    expect(report).toMatchObject({ ...counts, unchanged: 3 });
  });
  it('is refused where the request names a warehouse twice, with both places', () => {
    const changes = [{ id: 'a', name: 'North' }, { id: 'b' }, { id: 'a', code: 'N' }];
    expect(decideWarehouses(changes, [])).toMatchObject({
      code: 'invalid',
      message: 'warehouses[2].id: is the one of warehouses[0]',
      errors: { 'warehouses[2].id': ['is the one of warehouses[0]'] },
    });
  });
  it('may be of as many warehouses as a store can have, and one more is refused', () => {
    const full = many(MAX_WAREHOUSES);
    expect(decide([{ id: 'more', code: 'M' }], full.slice(1)).report).toMatchObject({ created: 1 });
    expect(decideWarehouses([{ id: 'more', code: 'M' }], full)).toMatchObject({
      message: 'warehouses: would make 1,001 warehouses with a name, a code or a country; a store has at most 1,000',
    });
  });
  it('may change and remove in a full store, and put another one in the place of a removed one', () => {
    const full = many(MAX_WAREHOUSES);
    expect(decide([{ id: 'w0', name: 'First' }], full).report).toMatchObject({ updated: 1 });
    const changes = [
      { id: 'w0', name: null },
      { id: 'more', name: 'M' },
    ];
    expect(decide(changes, full).report).toMatchObject({ created: 1, removed: 1 });
  });
});

describe('the name of a warehouse', () => {
  it('is its id where it has no other', () => {
    expect(shownWarehouse(stored())).toEqual(stored());
    expect(shownWarehouse(stored({ name: null })).name).toBe('a');
  });
  it('is found by its id', () => {
    const nameOf = warehouseNames([stored(), stored({ id: 'b', name: null })]);
    expect(['a', 'b', 'c'].map(nameOf)).toEqual(['North', 'b', 'c']);
  });
});
