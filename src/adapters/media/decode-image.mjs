// @ts-check
// JavaScript, so that it runs without a loader: tsx needs threads, child processes and the whole disk, which this program may not have.
import { access, readFile } from 'node:fs/promises';

import { pixelsOf } from './jpeg-pixels.mjs';

/**
 * @typedef {{ readonly width: number, readonly height: number } | { readonly fault: 'damaged' |
 * 'not_avif' | 'too_many_pixels' }} Decoded
 */

const [sharpUrl = '', path = '', extension = '', maxPixels = '', maxAllPixels = ''] = process.argv.slice(2);
/** @type {typeof import('sharp').default} */
const sharp = (await import(sharpUrl)).default;

/** @type {Readonly<Record<string, string[]>>} */
const LOADERS = {
  jpg: ['VipsForeignLoadJpegFile', 'VipsForeignLoadJpegBuffer'],
  png: ['VipsForeignLoadPngFile'],
  webp: ['VipsForeignLoadWebpFile'],
  gif: ['VipsForeignLoadNsgifFile'],
  avif: ['VipsForeignLoadHeifFile'],
};

const EVERY_PIXEL = /** @type {const} */ ({ sequentialRead: true, failOn: 'warning' });

/**
 * Shrunk to a point each, every pixel of every frame counts, and none need be kept. The further
 * images of an AVIF are not frames of it.
 */
const decodeFile = async () => {
  const all = sharp(path, { ...EVERY_PIXEL, pages: extension === 'avif' ? 1 : -1 });
  await all.resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
};

/**
 * Without its metadata. Not shrunk: libvips then ignores a warning in the last rows, where a file
 * that has broken off has it. One channel is a byte a pixel.
 */
const decodeJpegPixels = async () => {
  await sharp(pixelsOf(await readFile(path)), EVERY_PIXEL)
    .extractChannel(0)
    .raw()
    .toBuffer();
};

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
    await decodeFile();
  } catch (error) {
    if (extension !== 'jpg') throw error;
    // The decoder warns of odd metadata as it does of damaged pixels. Browsers show the former.
    await decodeJpegPixels();
  }
  return { width: autoOrient.width, height: autoOrient.height };
};

// It ends with its parent.
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
