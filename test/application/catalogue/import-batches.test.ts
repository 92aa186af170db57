import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { inBatches, readAhead } from '../../../src/application/catalogue/import-products.ts';
import type { ImportItem } from '../../../src/domain/catalogue/product-import.ts';

const MEGABYTE = 1024 * 1024;
const items = async function* (...all: ImportItem[]): AsyncGenerator<ImportItem, void> {
  for (const item of all) yield await Promise.resolve(item);
};
const upTo = (count: number, size?: number): ImportItem[] =>
  Array.from({ length: count }, (_, n) => ({ line: n + 1, ...(size === undefined ? {} : { size }), document: { name: 'Saw' } }));
const sizes = async (...all: ImportItem[]): Promise<number[]> => {
  const found: number[] = [];
  for await (const batch of inBatches(items(...all))) found.push(batch.length);
  return found;
};

describe('the items of a file', () => {
  it.each([
    [0, []],
    [1, [1]],
    [249, [249]],
    [250, [250]],
    [251, [250, 1]],
    [500, [250, 250]],
  ])('are batches of at most 250, and none is empty: %i items', async (count, batches) => {
    expect(await sizes(...upTo(count))).toEqual(batches);
  });
  it.each([
    ['a batch ends with the item that makes it 8 MiB', upTo(4, 4 * MEGABYTE), [2, 2]],
    ['a batch below 8 MiB takes more items', upTo(4, 4 * MEGABYTE - 1), [3, 1]],
    ['a larger item is alone', upTo(2, 9 * MEGABYTE), [1, 1]],
    ['an item without a size and a fault count as 0 bytes', [...upTo(3), { line: 4, message: 'bad' }, ...upTo(1, MEGABYTE)], [5]],
  ])('are batches of few megabytes: %s', async (_, all, batches) => {
    expect(await sizes(...all)).toEqual(batches);
  });
  it('keep their order', async () => {
    const all = upTo(251);
    const found: ImportItem[] = [];
    for await (const batch of inBatches(items(...all))) found.push(...batch);
    expect(found).toEqual(all);
  });
});

describe('reading ahead', () => {
  /** A source of three numbers that notes what it was asked for and that it was closed. */
  const noting = () => {
    const notes: string[] = [];
    const source = async function* (): AsyncGenerator<number, void> {
      try {
        for (let n = 1; n <= 3; n += 1) {
          notes.push(`read ${n}`);
          yield await Promise.resolve(n);
        }
      } finally {
        notes.push('closed');
      }
    };
    return { notes, source: source() };
  };

  it('gives every item once, in order, and ends with the source', async () => {
    const { source, notes } = noting();
    const found: number[] = [];
    for await (const { value, readNext } of readAhead(source)) {
      readNext();
      found.push(value);
    }
    expect(found).toEqual([1, 2, 3]);
    expect(notes).toEqual(['read 1', 'read 2', 'read 3', 'closed']);
  });
  it('reads the next item from when readNext is called, and not more', async () => {
    const { source, notes } = noting();
    const ahead = readAhead(source);
    const first = await ahead.next();
    if (first.done === true) return expect.fail('no item');
    expect(first.value.value).toBe(1);
    await turn();
    expect(notes).toEqual(['read 1']);
    first.value.readNext();
    first.value.readNext();
    await turn();
    expect(notes).toEqual(['read 1', 'read 2']);
  });
  it('reads the next item when the caller asks for it', async () => {
    const { source } = noting();
    const found: number[] = [];
    for await (const { value } of readAhead(source)) found.push(value);
    expect(found).toEqual([1, 2, 3]);
  });
  it('closes the source when the caller stops early', async () => {
    const { source, notes } = noting();
    for await (const { value, readNext } of readAhead(source)) {
      readNext();
      if (value === 1) break;
    }
    await turn();
    expect(notes).toEqual(['read 1', 'read 2', 'closed']);
  });
  it('reports a source that fails after the items before it', async () => {
    const failing = async function* (): AsyncGenerator<number, void> {
      yield await Promise.resolve(1);
      throw new Error('the upload was cut');
    };
    const ahead = readAhead(failing());
    const first = await ahead.next();
    if (first.done !== true) first.value.readNext();
    await turn();
    await expect(ahead.next()).rejects.toThrow('the upload was cut');
  });
});
