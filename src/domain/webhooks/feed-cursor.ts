import { crc32 } from '../values/crc32.ts';

/**
 * A place in the feed of a store, as its readers keep it: opaque text of the letters, digits, `-`
 * and `_`. The checksum finds a cursor that was cut or mistyped. It is not a secret, since a cursor
 * shows nothing by itself.
 */
const PATTERN = /^1\.([0-9a-f]{32})\.(0|[1-9]\d{0,14})\.([0-9a-f]{8})$/;

/** No cursor is longer, so that a long text is not decoded. */
const MAX_LENGTH = 100;

const hexOf = (storeId: string): string => storeId.replaceAll('-', '');

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** The cursor behind the event at `position`; 0 is before the first. */
export const formatCursor = (storeId: string, position: number): string => {
  const text = `1.${hexOf(storeId)}.${position}`;
  return btoa(`${text}.${checksum(text)}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
};

const decoded = (cursor: string): string => {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return '';
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    // Not a length that base64 can have.
    return '';
  }
};

/** The position of a cursor of this store. Null for a broken cursor, and for another store's. */
export const parseCursor = (storeId: string, cursor: string): number | null => {
  const [text = '', store, position, sum] = PATTERN.exec(decoded(cursor)) ?? [];
  if (sum === undefined || checksum(text.slice(0, -sum.length - 1)) !== sum) return null;
  return store === hexOf(storeId) ? Number(position) : null;
};
