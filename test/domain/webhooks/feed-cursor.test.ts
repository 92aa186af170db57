import { describe, expect, it } from 'vitest';

import {
  formatCursor,
  formatFirstCursor,
  packPlace,
  parseCursor,
  unpackPlace,
} from '../../../src/domain/webhooks/feed-cursor.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';
const EPOCH = 'ff3e1a00-0000-4000-8000-00000000fb01';
/** In base64 it has signs that a cursor must not have. */
const SIGNS = 'fbefbeff-ffff-4000-8000-000000000000';

describe('a place', () => {
  it.each([
    { position: 0, epoch: null, began: 0, previous: null },
    { position: 7, epoch: EPOCH, began: 3, previous: null },
    { position: 8, epoch: SIGNS, began: 3, previous: EPOCH },
    { position: Number.MAX_SAFE_INTEGER, epoch: EPOCH, began: 999_999_999_999, previous: OTHER },
  ])('is the same after it was packed: $position', (place) => {
    expect(unpackPlace(packPlace(place))).toEqual(place);
  });

  it('is as long as any other, so that its length tells nothing', () => {
    const place = { epoch: EPOCH, began: 0, previous: null };
    expect(packPlace({ ...place, position: 1 })).toHaveLength(packPlace({ ...place, position: 10 ** 12 }).length);
  });
});

describe('a cursor', () => {
  it('has its sealed place again, in letters, digits, - and _', () => {
    const cursor = formatCursor('v1.k1.a-_b.c');
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(parseCursor(STORE, cursor)).toEqual({ sealed: 'v1.k1.a-_b.c' });
  });
  it('has at most 400 characters', () => {
    const sealed = 'x'.repeat(298);
    expect(parseCursor(STORE, formatCursor(sealed))).toEqual({ sealed });
    expect(parseCursor(STORE, formatCursor(`${sealed}x`))).toBeNull();
  });
  it('has nothing before it or behind it, not even a space', () => {
    const cursor = formatCursor('sealed');
    for (const text of [` ${cursor}`, `${cursor} `]) expect(parseCursor(STORE, text)).toBeNull();
  });
});

describe('a cursor of the first version', () => {
  it.each([0, 1, 3, 9_876_543_210, 999_999_999_999_999])('has its position again, without an epoch: %i', (position) => {
    const place = { position, epoch: null, began: 0, previous: null, isFirst: true };
    expect(parseCursor(STORE, formatFirstCursor(STORE, position))).toEqual(place);
  });

  it('stays the same in later versions', () => {
    expect(formatFirstCursor(STORE, 42)).toBe('MS4wMTlhMDAwMDAwMDA3MDAwODAwMDAwMDAwMDAwMDAwMS40Mi5hOGZiNzJhMg');
  });

  it('of another store is not valid', () => {
    expect(parseCursor(OTHER, formatFirstCursor(STORE, 1))).toBeNull();
  });

  it('with any changed character is not valid', () => {
    const cursor = formatFirstCursor(STORE, 12_345);
    const changed = Array.from(cursor, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
    });
    // The second version is judged by the keys.
    expect(changed.map((text) => parseCursor(STORE, text)).filter((place) => place !== null && !('sealed' in place))).toEqual([]);
  });

  const encoded = (text: string): string => btoa(text).replaceAll('=', '');
  it.each([
    ['nothing', ''],
    ['text that is not base64url', 'a+b/c='],
    ['a length that base64 cannot have', 'abcde'],
    ['a part of a cursor', formatFirstCursor(STORE, 1).slice(0, -4)],
    ['a longer text', `${formatFirstCursor(STORE, 1)}${'A'.repeat(400)}`],
    ['a version that is not known', encoded('3.019a0000000070008000000000000001.1.00000000')],
    ['a second version without a place', encoded('2.')],
    ['a checksum of something else', encoded('1.019a0000000070008000000000000001.1.00000000')],
  ])('is not valid: %s', (_name, text) => {
    expect(parseCursor(STORE, text)).toBeNull();
  });
});
