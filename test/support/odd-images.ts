import { crc32 } from 'node:zlib';
import sharp from 'sharp';

import { imageOf } from './image-server.ts';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A segment of a JPEG: its marker, its length, its data. */
const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};
const exif = (tiff: string): Buffer => segment(0xe1, ascii(`Exif\0\0${tiff}`));

type Change = (whole: Buffer) => Buffer;
/** After the start of the image. */
const before =
  (...parts: readonly Buffer[]): Change =>
  (whole) =>
    Buffer.concat([whole.subarray(0, 2), ...parts, whole.subarray(2)]);
const behind =
  (...parts: readonly Buffer[]): Change =>
  (whole) =>
    Buffer.concat([whole, ...parts]);

/**
 * JPEGs that browsers show: an entry of an Exif directory that points nowhere, metadata of no
 * format, stray bytes, no end.
 */
export const ODD_JPEGS: Readonly<Record<string, Change>> = {
  'Exif that is not TIFF': before(exif('garbage')),
  'Exif without data': before(exif('')),
  'Exif whose directory is beyond its end': before(exif('II*\0\xff\xff\xff\x7f')),
  'Exif with more entries than bytes': before(
    exif(`II*\0\x08\0\0\0\xff\xff${'\x12\x01\x03\0\xff\xff\xff\xff\x01\0\0\0'.repeat(5)}`),
  ),
  'two Exif segments': before(exif('II*\0\x08\0\0\0\0\0\0\0\0\0'), exif('MM\0*\0\0\0\x08\0\0')),
  'a broken Photoshop segment (APP13)': before(segment(0xed, ascii('Photoshop 3.0\x008BIM\x04\x04garbage'))),
  'a broken ICC profile (APP2)': before(segment(0xe2, ascii('ICC_PROFILE\0\x01\x01garbage'))),
  'an Adobe segment with an unknown transform (APP14)': before(segment(0xee, ascii('Adobe\0\x64\0\0\0\0\x09'))),
  'a JFIF segment of an unknown version (APP0)': before(segment(0xe0, ascii('JFIF\0\x09\x09\0\0\x01\0\x01\0\0'))),
  'an empty comment': before(segment(0xfe, Buffer.alloc(0))),
  'fill bytes': before(Buffer.alloc(40, 0xff)),
  'stray bytes between segments': before(segment(0xe1, ascii('x')), Buffer.alloc(3)),
  'a segment with the length 1': before(Buffer.from([0xff, 0xe1, 0, 1])),
  'bytes after its end': behind(ascii('trailing \xff\xd8\xff')),
  'no end': (whole) => whole.subarray(0, -2),
};

/** A JPEG that browsers show though its metadata is odd. */
export const oddJpeg = async (kind: string, width: number, height: number): Promise<Buffer> => {
  const change = ODD_JPEGS[kind];
  if (!change) throw new Error(`no JPEG with ${kind}`);
  return change(await imageOf('jpeg', width, height));
};

/** The head of a PNG that says to be this large. */
export const pngHead = async (width: number, height: number): Promise<Buffer> => {
  const png = await imageOf('png');
  // After the signature: the length of IHDR, its name, width and height, 5 bytes more, the CRC of name and data.
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
};

const word = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);

export interface GifFrame {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
}

/** A GIF whose screen and frames have these sizes. The data of each frame is a single pixel. */
export const gifOf = (width: number, height: number, ...frames: readonly GifFrame[]): Buffer => {
  const screen = [ascii('GIF89a'), word(width), word(height), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])];
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const blocks = frames.flatMap(({ x = 0, y = 0, ...size }) => [
    control,
    Buffer.from([0x2c]),
    ...[x, y, size.width, size.height].map(word),
    Buffer.from([0, 2, 2, 0x44, 1, 0]),
  ]);
  return Buffer.concat([...screen, ...blocks, Buffer.from([0x3b])]);
};

/** A GIF of one frame that another file follows where its end should be, as some tools write it. */
export const gifBeforeAnother = (): Buffer => {
  const whole = gifOf(1, 1, { width: 1, height: 1 });
  return Buffer.concat([whole.subarray(0, -1), whole]);
};

/**
 * A grey JPEG of 8 x 128, each of whose 16 blocks is a restart of its own, with these bytes before
 * the second one.
 */
export const restartingJpeg = async (extra: Uint8Array): Promise<Buffer> => {
  const grey = { create: { width: 8, height: 128, channels: 3 as const, background: '#808080' } };
  const whole = await sharp(grey).toColourspace('b-w').jpeg({ optimiseCoding: false }).toBuffer();
  const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
  // No difference to the block before, no other coefficients, and bits up to the next byte.
  const block = 0b00101011;
  const restarts = Array.from({ length: 15 }, (_, n) => [0xff, 0xd0 + (n % 8), block]);
  return Buffer.concat([
    whole.subarray(0, scan),
    segment(0xdd, Buffer.from([0, 1])),
    whole.subarray(scan, scan + 2 + whole.readUInt16BE(scan + 2)),
    Buffer.from([block, ...extra, ...restarts.flat(), 0xff, 0xd9]),
  ]);
};

/** An AVIF whose pixels are larger than the size that it declares, as with some layers. */
export const avifDeclaredAs = async (width: number, height: number): Promise<Buffer> => {
  const whole = await imageOf('avif', 400, 300);
  const sizes = whole.indexOf('ispe') + 8;
  whole.writeUInt32BE(width, sizes);
  whole.writeUInt32BE(height, sizes + 4);
  return whole;
};
