// @ts-check
// JavaScript, so that it runs without a loader: tsx needs threads, child processes and the whole disk, which this program may not have.
import { access, readFile } from 'node:fs/promises';

import { pixelsOf } from './jpeg-pixels.mjs';

/**
 * @typedef {{ readonly width: number, readonly height: number } | { readonly fault: 'damaged' |
 * 'not_avif' | 'other_size' | 'too_many_pixels' }} Decoded
 */

const [sharpUrl = '', path = '', extension = '', maxPixels = '', maxAllPixels = '', gifEnd = ''] = process.argv.slice(2);
/** @type {typeof import('sharp').default} */
const sharp = (await import(sharpUrl)).default;

/** @type {Readonly<Record<string, string[]>>} */
const LOADERS = {
  jpg: ['VipsForeignLoadJpegFile', 'VipsForeignLoadJpegBuffer'],
  png: ['VipsForeignLoadPngFile'],
  webp: ['VipsForeignLoadWebpFile'],
  gif: ['VipsForeignLoadNsgifFile', 'VipsForeignLoadNsgifBuffer'],
  avif: ['VipsForeignLoadHeifFile'],
};

/** @typedef {'warning' | 'error'} FailOn */
/** Every pixel is decoded. @param {FailOn} failOn */
const everyPixel = (failOn) => ({ sequentialRead: true, failOn });
/** libvips shrinks a side by this much at most. */
const MAX_SHRINK = 1_000_000;

/**
 * Shrunk to a point each, every pixel of every frame counts, and none need be kept. The further
 * images of an AVIF are not frames of it.
 * @param {string | Buffer} file
 * @param {{ readonly width: number, readonly height: number }} size
 */
const decodeFile = async (file, { width, height }) => {
  const all = sharp(file, { ...everyPixel('warning'), pages: extension === 'avif' ? 1 : -1 });
  const points = [Math.ceil(width / MAX_SHRINK), Math.ceil(height / MAX_SHRINK)];
  await all.resize(points[0], points[1], { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
};

/**
 * Not shrunk: libvips then ignores a warning in the last rows, where a file that has broken off has
 * it. One channel is a byte a pixel.
 * @param {string | Buffer} file
 * @param {FailOn} failOn
 */
const decodeJpeg = async (file, failOn) => {
  await sharp(file, everyPixel(failOn)).extractChannel(0).raw().toBuffer();
};

/**
 * Bytes that a decoder skips before it continues at a restart marker: no pixel is missing.
 * @param {unknown} error
 */
const isSkipped = (error) =>
  error instanceof Error &&
  /^(VipsJpeg: Corrupt JPEG data: \d+ extraneous bytes before marker 0xd[0-7]\n*)+$/.test(error.message);

const GIF_TRAILER = Buffer.from([0x3b]);

/**
 * Accepts images that browsers show although the decoder warns: odd metadata of a JPEG, skipped
 * bytes between its restarts, and bytes after the last frame of a GIF.
 * @param {unknown} error
 * @param {{ readonly width: number, readonly height: number }} size
 */
const decodeOdd = async (error, size) => {
  if (extension === 'gif') {
    const file = await readFile(path);
    const blocks = file.subarray(0, Number(gifEnd));
    if (blocks.length === file.length) throw error;
    await decodeFile(Buffer.concat([blocks, GIF_TRAILER]), size);
    return;
  }
  if (extension !== 'jpg') throw error;
  try {
    await decodeJpeg(pixelsOf(await readFile(path)), 'warning');
  } catch (warning) {
    if (!isSkipped(warning)) throw warning;
    // Decodes unchanged: a broken image shows in its end.
    await decodeJpeg(path, 'error');
  }
};

/**
 * The layers of an AVIF may be larger than the size that it declares: the decoder has allocated
 * memory for that only.
 * @param {unknown} error
 */
const isOtherSize = (error) => error instanceof Error && /Image size \d+x\d+ exceeds the maximum/.test(error.message);

/** @returns {Promise<Decoded>} */
const decode = async () => {
  // Without sharp's own limit, which would make a file damaged that is only too large.
  const {
    width,
    height,
    autoOrient,
    pages = 1,
    compression,
  } = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
  if (width * height > Number(maxPixels) || width * height * pages > Number(maxAllPixels)) return { fault: 'too_many_pixels' };
  if (extension === 'avif' && compression !== 'av1') return { fault: 'not_avif' };
  try {
    await decodeFile(path, { width, height });
  } catch (error) {
    if (isOtherSize(error)) return { fault: 'other_size' };
    await decodeOdd(error, { width, height });
  }
  return { width: autoOrient.width, height: autoOrient.height };
};

// The decoder ends with its parent.
process.stdin.on('close', () => process.exit()).resume();
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS[extension] ?? [] });
const decoded = await decode().catch(async () => {
  // A missing file is not the fault of the image: the program fails.
  await access(path);
  return /** @type {Decoded} */ ({ fault: 'damaged' });
});
process.stdout.write(JSON.stringify(decoded), () => process.exit());
