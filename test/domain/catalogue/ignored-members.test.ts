import { describe, expect, it } from 'vitest';

import { ignoredInAnswer, MAX_IGNORED_BYTES, nothingRead, unreadMembers } from '../../../src/domain/catalogue/ignored-members.ts';
import { parseChanges } from '../../../src/domain/catalogue/bulk-change.ts';
import { parseVariantChanges } from '../../../src/domain/catalogue/variant-change.ts';
import { refuse } from '../../../src/domain/result.ts';

const ID = '019a0000-0000-7000-8000-000000000001';

describe('members of a bulk element that nothing reads', () => {
  it('are named, also in its stock, with their first 64 characters', () => {
    expect(
      parseVariantChanges([{ sku: 'A', price: 1, prize: 2, stock: [{ adjust: 1 }, { adjust: 1, warehouse: ID }] }])[0]?.ignored,
    ).toEqual(['prize', 'stock[1].warehouse']);
    expect(parseChanges([{ id: ID, name: 'Saw', titel: 'x' }])[0]?.ignored).toEqual(['titel']);
    expect(unreadMembers({ ['x'.repeat(65)]: 1 }, [])).toEqual(['x'.repeat(64)]);
  });
  it.each([
    [{ sku: 'A', quantity: 4 }, '"quantity" is not a field of a change. A change can have price, compareAtPrice, stock.'],
    [{ sku: 'A', prices: 4 }, '"prices" is not a field of a change. Did you mean price?'],
  ])('fail an element that has no other: %o', (raw, message) => {
    expect(parseVariantChanges([raw])[0]?.change).toEqual(refuse('invalid_value', message));
  });
  it('fail a product that has no other, and no element without any', () => {
    expect(parseChanges([{ id: ID, nmae: 'Saw' }])[0]?.change).toEqual(nothingRead(['nmae'], ['name']));
    expect(parseChanges([{ id: ID }])[0]).toMatchObject({ change: { ok: true }, ignored: [] });
    expect(parseVariantChanges([{ sku: 'A' }])[0]).toMatchObject({ change: { ok: true }, ignored: [] });
  });
  it('are in the results of an answer as long as they fit', () => {
    const naming = ignoredInAnswer();
    const withIgnored = (result: { id: number; ignored?: readonly string[] }, names: readonly string[]) => naming(result, names);
    // Each takes its name, two quotes and a comma.
    const name = 'x'.repeat(MAX_IGNORED_BYTES / 2 - 3);
    expect(withIgnored({ id: 1 }, [name])).toEqual({ id: 1, ignored: [name] });
    expect(withIgnored({ id: 2 }, [])).toEqual({ id: 2 });
    expect(withIgnored({ id: 3 }, [name, 'y'])).toEqual({ id: 3, ignored: [name] });
    expect(withIgnored({ id: 4 }, ['y'])).toEqual({ id: 4 });
  });
});
