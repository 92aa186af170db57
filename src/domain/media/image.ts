import { IMAGE_TYPES, type ImageExtension } from './media-file.ts';
import { ascii } from './other-format.ts';

/** Limit before decoding: 20 MB (docs/specification/media.md, "Images"). */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/**
 * The most pixels of one frame, and of all frames of an animation. A decoder holds or visits each.
 */
export const MAX_PIXELS = 25_000_000;
export const MAX_ANIMATED_PIXELS = 4 * MAX_PIXELS;

/** The number of first bytes that identify an image's type. */
export const IMAGE_HEAD_BYTES = 1024;

/**
 * The brands in the first box of an ISO base media file, the major one first (ISO/IEC 14496-12,
 * 4.3). Empty for other files.
 */
const brandsOf = (head: Uint8Array): string[] => {
  if (ascii(head, 4, 8) !== 'ftyp') return [];
  const [a = 0, b = 0, c = 0, d = 0] = head;
  const end = Math.min(((a << 24) | (b << 16) | (c << 8) | d) >>> 0, head.length);
  const brands: string[] = [];
  // A version is between the major brand and the compatible ones.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(ascii(head, at, at + 4));
  return brands;
};

const isAvif = (head: Uint8Array): boolean => {
  const brands = brandsOf(head);
  // HEIC is the same container with another codec, which its major brand names.
  return brands.includes('avif') && !/^(he[iv]|avis)/.test(brands[0] ?? '');
};

/**
 * Recognises the first bytes of an AVIF image sequence. The decoder does not report its frames, so
 * their pixels cannot be counted.
 */
export const isAvifSequence = (head: Uint8Array): boolean => brandsOf(head).includes('avis') && !isAvif(head);

/**
 * The image's type by its first bytes, as an extension of IMAGE_TYPES. Null for other types, such
 * as SVG, HTML, HEIC and AVIF sequences.
 */
export const imageExtensionOf = (head: Uint8Array): ImageExtension | null => {
  const signature = ascii(head, 0, 12);
  if (signature.startsWith('\xff\xd8\xff')) return 'jpg';
  if (signature.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(signature)) return 'gif';
  if (signature.startsWith('RIFF') && signature.endsWith('WEBP')) return 'webp';
  return isAvif(head) ? 'avif' : null;
};

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/**
 * Refuses an image that would take too much memory or time to decode. A few bytes can hold an image
 * that fills the memory.
 */
export const isTooManyPixels = ({ width, height, frames }: ImageSize): boolean =>
  width * height > MAX_PIXELS || width * height * frames > MAX_ANIMATED_PIXELS;

export const TOO_MANY_PIXELS = `The image has too many pixels. It must have at most ${MAX_PIXELS / 1e6} megapixels, and at most ${MAX_ANIMATED_PIXELS / 1e6} in all frames of an animation.`;

const TYPES_OF_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(IMAGE_TYPES),
  ['jpeg', 'image/jpeg'],
  ['svg', 'image/svg+xml'],
  ['mp4', 'video/mp4'],
]);

export const contentTypeOf = (url: string): string =>
  TYPES_OF_NAMES.get(/\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '') ?? 'application/octet-stream';
