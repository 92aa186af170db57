import { describe, expect, it } from 'vitest';

import { formatCursor, parseCursor } from '../../../src/domain/webhooks/feed-cursor.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';

describe('a cursor', () => {
  it.each([0, 1, 9_876_543_210, 999_999_999_999_999])('has its position again: %i', (position) => {
    expect(parseCursor(STORE, formatCursor(STORE, position))).toBe(position);
  });

  it('is a text of letters, digits, - and _ that stays the same in later versions', () => {
    expect(formatCursor(STORE, 42)).toBe('MS4wMTlhMDAwMDAwMDA3MDAwODAwMDAwMDAwMDAwMDAwMS40Mi5hOGZiNzJhMg');
  });

  it('of another store is not valid', () => {
    expect(parseCursor(OTHER, formatCursor(STORE, 1))).toBeNull();
  });

  it('with any changed character is not valid', () => {
    const cursor = formatCursor(STORE, 12_345);
    const changed = Array.from(cursor, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
    });
    expect(changed.filter((text) => parseCursor(STORE, text) !== null)).toEqual([]);
  });

  const encoded = (text: string): string => btoa(text).replaceAll('=', '');
  it.each([
    ['nothing', ''],
    ['text that is not base64url', 'a+b/c='],
    ['a length that base64 cannot have', 'abcde'],
    ['a part of a cursor', formatCursor(STORE, 1).slice(0, -4)],
    ['a longer text', `${formatCursor(STORE, 1)}${'A'.repeat(60)}`],
    ['a version that is not known', encoded('2.019a0000000070008000000000000001.1.00000000')],
    ['a checksum of something else', encoded('1.019a0000000070008000000000000001.1.00000000')],
  ])('is not valid: %s', (_name, text) => {
    expect(parseCursor(STORE, text)).toBeNull();
  });
});
