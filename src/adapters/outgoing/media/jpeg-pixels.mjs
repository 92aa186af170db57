// @ts-check

const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/**
 * Segments that the pixels depend on: frames (SOF), Huffman and arithmetic tables (DHT, DAC),
 * quantisation (DQT) and restarts (DRI).
 * @param {number} marker
 */
const isNeeded = (marker) => (marker >= 0xc0 && marker <= 0xcf) || marker === 0xdb || marker === 0xdd;

/**
 * The JPEG without what only describes it: APP segments (Exif, XMP, Photoshop, ICC), comments, and
 * stray bytes between segments up to the first scan. An end is added for a file that lacks it. What
 * is damaged in the pixels stays damaged.
 * @param {Buffer} file
 * @returns {Buffer}
 */
export const pixelsOf = (file) => {
  /** @type {Buffer[]} */
  const kept = [Buffer.from([MARKER, START])];
  let at = 2;
  while (at + 4 <= file.length) {
    const marker = file[at] === MARKER ? (file[at + 1] ?? 0) : 0;
    if (marker === SCAN) return Buffer.concat([...kept, file.subarray(at), Buffer.from([MARKER, END])]);
    // Between segments: a fill byte, or a stray one. 0xd0 to 0xd9 are markers without a segment.
    if (marker === 0 || marker === MARKER || (marker >= 0xd0 && marker <= END)) {
      at += 1;
      continue;
    }
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (isNeeded(marker)) kept.push(file.subarray(at, end));
    at = end;
  }
  return file;
};
