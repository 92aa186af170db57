export const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

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
