import { IMAGE_TYPES, type ImageExtension } from './media-file.ts';

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Text before the first element of XML or HTML: a byte-order mark, declarations and comments. */
const PROLOGUE = /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--[^]*?-->|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>)*/i;

const begins =
  (...signatures: readonly string[]) =>
  (head: string): boolean =>
    signatures.some((signature) => head.startsWith(signature));
/** An ISO base media file whose major brand is one of these (ISO/IEC 14496-12, 4.3). */
const isOfBrand = (brands: RegExp) => (head: string) => head.slice(4, 8) === 'ftyp' && brands.test(head.slice(8, 12));
const hasRoot = (name: string) => (head: string) => new RegExp(`^<${name}[\\s>]`, 'i').test(head.replace(PROLOGUE, ''));
const isHtml = (head: string): boolean =>
  hasRoot('html')(head) || /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|head|body)/i.test(head);

/** Formats that people send as images, by their first bytes. */
const FORMATS: Readonly<Record<string, (head: string) => boolean>> = {
  'a HEIC image': isOfBrand(/^(?:he[iv][cxms]|mif1|msf1)$/),
  'an SVG image': hasRoot('svg'),
  'a JPEG XL image': begins('\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n'),
  'a TIFF image': begins('II*\0', 'MM\0*'),
  'a BMP image': begins('BM'),
  'a JPEG 2000 image': begins('\0\0\0\x0cjP  \r\n\x87\n', '\xff\x4f\xff\x51'),
  'a PDF document': begins('%PDF-'),
  'an HTML page': isHtml,
};

/** The format of a file that is not an image of IMAGE_TYPES, with its article. Null when it is not known. */
export const otherFormatOf = (head: Uint8Array): string | null => {
  const text = ascii(head, 0, head.length);
  return Object.entries(FORMATS).find(([, matches]) => matches(text))?.[0] ?? null;
};

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

/** The size that the head of a PNG declares (PNG specification, 11.2.1). */
export const pngSizeOf = (head: Uint8Array): ImageSize => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return head.length < 24
    ? { width: 0, height: 0, frames: 1 }
    : { width: view.getUint32(16), height: view.getUint32(20), frames: 1 };
};
