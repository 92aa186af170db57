import { describe, expect, it } from 'vitest';

import { bytesOf, ReadCache } from '../../../src/adapters/prisma/reading/read-cache.ts';
import { storeKey } from '../../../src/domain/store-key.ts';

const [A, B] = [storeKey('a'), storeKey('b')];
const KIBIBYTE = 'x'.repeat(1024);

describe('ReadCache', () => {
  it('gives a rendering in the version that is asked for, and in no other', () => {
    const cache = new ReadCache(1);
    const shelf = cache.shelf('items', bytesOf);
    shelf.put(A, '1', 'first');
    expect([shelf.get(A, '1'), shelf.get(A, '2'), shelf.get(B, '1')]).toEqual(['first', undefined, undefined]);
    shelf.put(A, '2', 'second');
    expect([shelf.get(A, '1'), shelf.get(A, '2')]).toEqual([undefined, 'second']);
    expect(cache.figures).toMatchObject({ hits: 2, misses: 3, entries: 1 });
  });

  it('keeps the shelves apart', () => {
    const cache = new ReadCache(1);
    const [items, products] = [cache.shelf('items', bytesOf), cache.shelf('products', bytesOf)];
    items.put(A, '1', 'item');
    products.put(A, '1', 'product');
    expect([items.get(A, '1'), products.get(A, '1')]).toEqual(['item', 'product']);
  });

  it('holds no more bytes than it may, its own included, and forgets what was read the longest ago', () => {
    const cache = new ReadCache(1);
    const shelf = cache.shelf('items', bytesOf);
    for (let n = 0; n < 2_000; n += 1) {
      shelf.put(storeKey(`${n}`), '1', KIBIBYTE);
      shelf.get(storeKey('0'), '1');
    }
    expect(cache.figures.bytes).toBeLessThanOrEqual(2 ** 20);
    expect(cache.figures.entries).toBeLessThan(1024);
    expect(cache.figures.entries).toBeGreaterThan(650);
    expect([shelf.get(storeKey('0'), '1'), shelf.get(storeKey('1999'), '1')]).toEqual([KIBIBYTE, KIBIBYTE]);
    expect(shelf.get(storeKey('1'), '1')).toBeUndefined();
  });

  it('does not keep what is larger than the cache, and keeps nothing at all with 0', () => {
    const cache = new ReadCache(1);
    cache.shelf('items', bytesOf).put(A, '1', KIBIBYTE.repeat(1_025));
    const off = new ReadCache(0);
    off.shelf('items', bytesOf).put(A, '1', '');
    expect([cache.figures.entries, off.figures.entries]).toEqual([0, 0]);
  });

  it('counts two bytes for each character of a text that Latin-1 cannot hold', () => {
    expect([bytesOf('Säge'), bytesOf('Nhẫn')]).toEqual([4, 8]);
  });
});
