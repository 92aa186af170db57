import { crc32 } from '../values/crc32.ts';
import { firstPlaceAt, type FeedPlace } from './feed-place.ts';

/**
 * A place in the feed of a store, as its readers keep it: opaque text of the letters, digits, `-` and
 * `_`. The second version is sealed, since a position tells how many events the store has, those that the
 * reader may not see among them (docs/specification/feed.md, "Cursors").
 */
const SECOND_VERSION = /^2\.(.+)$/;

/** Before there were epochs: the store and the position, with a checksum. */
const FIRST_VERSION = /^1\.([0-9a-f]{32})\.(0|[1-9]\d{0,14})\.([0-9a-f]{8})$/;

/** No cursor is longer, so that a long text is not decoded. */
const MAX_LENGTH = 400;

const hexOf = (id: string): string => id.replaceAll('-', '');

const base64url = (bytes: string): string => btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const bytesOf = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'));

const decoded = (cursor: string): string => {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return '';
  try {
    return bytesOf(cursor);
  } catch {
    // Not a length that base64 can have.
    return '';
  }
};

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** A cursor of the first version, which is still read, and given out beside processes that know no other. */
export const formatFirstCursor = (storeId: string, position: number): string => {
  const text = `1.${hexOf(storeId)}.${position}`;
  return base64url(`${text}.${checksum(text)}`);
};

const firstPlace = (storeId: string, decodedText: string): FeedPlace | null => {
  const [text = '', store, position, sum] = FIRST_VERSION.exec(decodedText) ?? [];
  if (sum === undefined || checksum(text.slice(0, -sum.length - 1)) !== sum || store !== hexOf(storeId)) return null;
  return firstPlaceAt(Number(position));
};

const ID_LENGTH = 22;
const NO_ID = '.'.repeat(ID_LENGTH);
/** Pads every position, so that the length of a cursor reveals nothing. */
const POSITION_LENGTH = 11;
const BASE = 36;

const packId = (id: string | null): string =>
  id === null ? NO_ID : base64url(hexOf(id).replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
const unpackId = (text: string): string | null => {
  if (text === NO_ID) return null;
  const hex = Array.from(bytesOf(text), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
const packPosition = (position: number): string => position.toString(BASE).padStart(POSITION_LENGTH, '0');

/** Content that a cursor of the second version seals. */
export const packPlace = ({ position, epoch, began, previous }: FeedPlace): string =>
  `${packId(epoch)}${packId(previous)}${packPosition(began)}${packPosition(position)}`;

export const unpackPlace = (text: string): FeedPlace => {
  const positions = 2 * ID_LENGTH;
  return {
    position: Number.parseInt(text.slice(positions + POSITION_LENGTH), BASE),
    epoch: unpackId(text.slice(0, ID_LENGTH)),
    began: Number.parseInt(text.slice(positions, positions + POSITION_LENGTH), BASE),
    previous: unpackId(text.slice(ID_LENGTH, positions)),
  };
};

/** A sealed text as a cursor of the second version. */
export const formatCursor = (sealed: string): string => base64url(`2.${sealed}`);

/** Reads a cursor: a place, or a sealed place. Null for a broken cursor, and for another store's. */
export const parseCursor = (storeId: string, cursor: string): FeedPlace | { readonly sealed: string } | null => {
  const text = decoded(cursor);
  const sealed = SECOND_VERSION.exec(text)?.[1];
  return sealed === undefined ? firstPlace(storeId, text) : { sealed };
};
