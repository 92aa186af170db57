import { access } from 'node:fs/promises';
import sharp from 'sharp';

import { isTooManyPixels, TOO_MANY_PIXELS } from '../../domain/image.ts';

/** What the program of decoder.ts prints. */
export type Decoded = { readonly width: number; readonly height: number } | { readonly fault: string };

const LOADERS: Readonly<Record<string, string>> = {
  jpg: 'VipsForeignLoadJpegFile',
  png: 'VipsForeignLoadPngFile',
  webp: 'VipsForeignLoadWebpFile',
  gif: 'VipsForeignLoadNsgifFile',
  avif: 'VipsForeignLoadHeifFile',
};

const decode = async (path: string, extension: string): Promise<Decoded> => {
  const { width, height, autoOrient, pages = 1, compression } = await sharp(path).metadata();
  if (isTooManyPixels({ width, height, frames: pages })) return { fault: TOO_MANY_PIXELS };
  if (extension === 'avif' && compression !== 'av1') return { fault: 'The image is no AVIF.' };
  // Shrunk to a point each, every pixel of every frame counts, and none need be kept. An AVIF's further images are no frames of it.
  const all = sharp(path, { pages: extension === 'avif' ? 1 : -1, sequentialRead: true, failOn: 'warning' });
  await all.resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
  return { width: autoOrient.width, height: autoOrient.height };
};

/** A program of its own, `decode-image <path> <extension>`: what a hostile image does to its memory ends with it. It ends with its parent. */
const main = async ([path = '', extension = '']: readonly string[]): Promise<void> => {
  process.stdin.on('close', () => process.exit()).resume();
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[extension] ?? ''] });
  const decoded = await decode(path, extension).catch(async () => {
    // Its being gone is no fault of the image's: the program fails.
    await access(path);
    return { fault: 'The image is damaged, or has broken off.' };
  });
  process.stdout.write(JSON.stringify(decoded), () => process.exit());
};

await main(process.argv.slice(2));
