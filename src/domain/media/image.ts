import { IMAGE_TYPES } from './media-file.ts';
import type { ImageExtension } from './media-file.ts';

/** decisions.md, Media import: 20 MB, as it was received. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Of one frame, and of all frames of an animation together: what a decoder must hold or go through. */
export const MAX_PIXELS = 25_000_000;
export const MAX_ANIMATED_PIXELS = 4 * MAX_PIXELS;

/** So many of an image's first bytes tell its type. */
export const IMAGE_HEAD_BYTES = 1024;

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** The brands of an ISO base media file's first box, the major one first (ISO/IEC 14496-12, 4.3); none when it is no such file. */
const brandsOf = (head: Uint8Array): string[] => {
  if (ascii(head, 4, 8) !== 'ftyp') return [];
  const [a = 0, b = 0, c = 0, d = 0] = head;
  const end = Math.min(((a << 24) | (b << 16) | (c << 8) | d) >>> 0, head.length);
  const brands: string[] = [];
  // Between the major brand and the compatible ones stands a version.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(ascii(head, at, at + 4));
  return brands;
};

const isAvif = (head: Uint8Array): boolean => {
  const brands = brandsOf(head);
  // HEIC is the same container around another codec: it says so first.
  return brands.includes('avif') && !/^(he[iv]|avis)/.test(brands[0] ?? '');
};

/** Whether these are the first bytes of an AVIF image sequence. The decoder does not see its frames, so nobody can count their pixels. */
export const isAvifSequence = (head: Uint8Array): boolean => brandsOf(head).includes('avis') && !isAvif(head);

/** The type of an image by its first bytes, as the extension of IMAGE_TYPES. Null for other types (SVG, HTML, HEIC, AVIF sequences) and for incomplete signatures. */
export const imageExtensionOf = (head: Uint8Array): ImageExtension | null => {
  const signature = ascii(head, 0, 12);
  if (signature.startsWith('\xff\xd8\xff')) return 'jpg';
  if (signature.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(signature)) return 'gif';
  if (signature.startsWith('RIFF') && signature.endsWith('WEBP')) return 'webp';
  return isAvif(head) ? 'avif' : null;
};

export interface ImageSize {
  /** Of a frame. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** Whether to decode it would cost more than an image may: a few bytes can hold a picture that fills the memory. */
export const isTooManyPixels = ({ width, height, frames }: ImageSize): boolean =>
  width * height > MAX_PIXELS || width * height * frames > MAX_ANIMATED_PIXELS;

export const TOO_MANY_PIXELS = `The image has too many pixels. It must have at most ${MAX_PIXELS / 1e6} megapixels, and at most ${MAX_ANIMATED_PIXELS / 1e6} in all frames of an animation.`;

const TYPES_OF_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(IMAGE_TYPES),
  ['jpeg', 'image/jpeg'],
  ['svg', 'image/svg+xml'],
  ['mp4', 'video/mp4'],
]);

/** What the file at a URL is likely to be, by its extension. */
export const contentTypeOf = (url: string): string =>
  TYPES_OF_NAMES.get(/\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '') ?? 'application/octet-stream';
