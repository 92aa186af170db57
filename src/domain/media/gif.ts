import type { ImageSize } from './image.ts';

/** The blocks of a GIF (GIF89a specification, sections 18 to 27). */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const SCREEN_END = 13;
const DESCRIPTOR_BYTES = 10;

const word = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/**
 * The size of a colour table in bytes, from the flags of the block before it. A colour has three
 * bytes.
 */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

const afterSubBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
};

export interface GifSize extends ImageSize {
  /** End of the last block, in bytes. A decoder may refuse what comes after it. */
  readonly end: number;
}

/**
 * The canvas of a GIF and its number of frames, as its blocks declare them. The canvas includes the
 * logical screen and every frame, also frames beyond the screen, because decoders differ in which
 * they allocate. Reading ends at the trailer or at an unknown block.
 */
export const gifSizeOf = (bytes: Uint8Array): GifSize => {
  let [width, height, frames] = [word(bytes, 6), word(bytes, 8), 0];
  let at = SCREEN_END + tableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    if (bytes[at] === EXTENSION) {
      at = afterSubBlocks(bytes, at + 2);
    } else if (bytes[at] === IMAGE) {
      width = Math.max(width, word(bytes, at + 1) + word(bytes, at + 5));
      height = Math.max(height, word(bytes, at + 3) + word(bytes, at + 7));
      frames += 1;
      const data = at + DESCRIPTOR_BYTES + tableBytes(bytes[at + 9] ?? 0);
      // The size of the codes takes one byte before the data.
      at = afterSubBlocks(bytes, data + 1);
    } else break;
  }
  return { width, height, frames, end: Math.min(at, bytes.length) };
};
