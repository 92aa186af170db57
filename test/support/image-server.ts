import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import sharp from 'sharp';

import type { Answer } from './receiver.ts';

export type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

const QUICK = { jpeg: {}, png: { compressionLevel: 1 }, webp: { effort: 0 }, gif: { effort: 1 }, avif: { effort: 0 } };

/** Pixels of every colour: no compressor gets the better of them. */
const noise = (width: number, height: number) => sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

/** An image of noise, with different bytes each time. */
export const imageOf = async (format: Format, width = 3, height = 2): Promise<Buffer> =>
  await noise(width, height).toFormat(format, QUICK[format]).toBuffer();

/** A PNG, hardly larger than its pixels: of noise, and as it came. */
export const largePng = async (width: number, height: number): Promise<Buffer> =>
  await noise(width, height).png({ compressionLevel: 0 }).toBuffer();

/** An image of one colour: many pixels in few bytes. */
export const blank = async (format: Format, width: number, height: number): Promise<Buffer> =>
  await sharp({ create: { width, height, channels: 3, background: '#678' } })
    .toFormat(format, QUICK[format])
    .toBuffer();

/** Frames of black and white by turns. */
export const animation = async (format: 'gif' | 'webp', side: number, frames: number): Promise<Buffer> => {
  const pixels = Buffer.concat(Array.from({ length: frames }, (_, frame) => Buffer.alloc(side * side * 3, 255 * (frame % 2))));
  const raw = { width: side, height: side * frames, channels: 3 as const, pageHeight: side };
  return await sharp(pixels, { raw }).toFormat(format, QUICK[format]).toBuffer();
};

const word = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** A GIF with this many frames. Each frame changes one pixel. */
export const manyGif = (side: number, frames: number): Buffer => {
  const screen = Buffer.concat([
    Buffer.from('GIF89a'),
    word(side, 2),
    word(side, 2),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
};

const chunk = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name), word(data.length, 4), data, Buffer.alloc(data.length % 2)]);
};

/** A WebP with this many frames. Each frame changes one pixel. */
export const manyWebp = async (side: number, frames: number): Promise<Buffer> => {
  const still = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#678' } })
    .webp({ lossless: true })
    .toBuffer();
  const place = [word(0, 3), word(0, 3), word(0, 3), word(0, 3), word(40, 3), word(0, 1)];
  // The chunk of the still's pixels follows its own RIFF head.
  const frame = chunk('ANMF', ...place, still.subarray(12));
  const head = chunk('VP8X', word(2, 4), word(side - 1, 3), word(side - 1, 3));
  const all = [head, chunk('ANIM', word(0, 4), word(0, 2)), ...Array.from({ length: frames }, () => frame)];
  return chunk('RIFF', Buffer.from('WEBP'), ...all);
};

/** A JPEG that says of itself that it lies on its side. */
export const rotated = async (width: number, height: number): Promise<Buffer> =>
  await noise(width, height).jpeg().withMetadata({ orientation: 6 }).toBuffer();

/** An answer for each path; 404 for the others. */
export const site =
  (answers: ReadonlyMap<string, Answer>): Answer =>
  (response: ServerResponse, request) => {
    const answer = answers.get(request.path);
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  };
