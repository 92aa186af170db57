import { describe, expect, it } from 'vitest';

import { contentTypeOf, imageExtensionOf, isAvifSequence, isTooManyPixels } from '../../../src/domain/media/image.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The first box of an ISO base media file, with its true length by default. */
const ftyp = (major: string, compatible: readonly string[] = [], length = 16 + 4 * compatible.length): string =>
  `${String.fromCharCode(0, 0, length >> 8, length & 0xff)}ftyp${major}\0\0\0\0${compatible.join('')}`;

describe('the type of an image by its first bytes', () => {
  it.each([
    ['jpg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['jpg', '\xff\xd8\xff'],
    ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['gif', 'GIF87a'],
    ['gif', 'GIF89a\x01\0\x01\0'],
    ['webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['avif', ftyp('avif', ['mif1', 'miaf'])],
    ['avif', ftyp('avif', ['mif1', 'avis', 'msf1'])],
    ['avif', ftyp('mif1', ['miaf', 'avif'])],
    ['avif', ftyp('xhei', ['avif'])],
  ])('%s: %j', (extension, text) => {
    expect(imageExtensionOf(latin1(text))).toBe(extension);
    expect(imageExtensionOf(latin1(text.padEnd(1024, 'x')))).toBe(extension);
  });

  it.each([
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['SVG after a declaration', '<?xml version="1.0"?><svg>'],
    ['HTML', '<!doctype html><html>'],
    ['an image after a blank', ' \xff\xd8\xff\xe0'],
    ['a JPEG that broke off', '\xff\xd8'],
    ['a PNG that lost its line ends', '\x89PNG\n\x1a\n\0\0\0'],
    ['a PNG that broke off', '\x89PNG\r\n\x1a'],
    ['another GIF', 'GIF88a'],
    ['a GIF after a blank', ' GIF89a'],
    ['WEBP in another container', 'RIFX\x24\0\0\0WEBP'],
    ['avif in another box', ftyp('avif', ['mif1']).replace('ftyp', 'free')],
    ['RIFF with something else', 'RIFF\x24\0\0\0WAVEfmt '],
    ['RIFF that broke off', 'RIFF\x24\0\0\0WEB'],
    ['BMP', 'BM\x36\0\0\0'],
    ['TIFF', 'II*\0\x08\0\0\0'],
    ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['JPEG XL', '\xff\x0a'],
    ['a gzip of something', '\x1f\x8b\x08\0'],
    ['a PDF', '%PDF-1.7'],
    ['HEIC', ftyp('heic', ['mif1', 'heic'])],
    ['HEIC that claims AVIF too', ftyp('heix', ['avif'])],
    ['an AVIF sequence', ftyp('avis', ['avif', 'msf1'])],
    ['an AVIF sequence of another major brand', ftyp('msf1', ['avis'])],
    ['a film', ftyp('isom', ['iso2', 'mp41'])],
    ['avif where the version stands', `\0\0\0\x10ftypisomavif`],
    ['avif after the end of the box', `${ftyp('isom', ['mp41'])}avif`],
    ['a box without a length', ftyp('avif', [], 0)],
  ])('none: %s', (_, text) => {
    expect(imageExtensionOf(latin1(text))).toBeNull();
  });

  it.each([
    [ftyp('avis', ['avif', 'msf1']), true],
    [ftyp('msf1', ['avis']), true],
    [ftyp('avif', ['avis']), false],
    [ftyp('heic', ['mif1']), false],
    ['GIF89a', false],
  ])('%j is an AVIF sequence: %s', (text, expected) => {
    expect(isAvifSequence(latin1(text))).toBe(expected);
  });

  it('reads only the given bytes, also when a box claims to be longer', () => {
    expect(imageExtensionOf(latin1(`\xff\xff\xff\xffftypavif`))).toBe('avif');
    expect(imageExtensionOf(latin1(`\xff\xff\xff\xffftypmif1\0\0\0\0miafavi`))).toBeNull();
  });
});

it.each([
  [5_000, 5_000, 1, false],
  [5_000, 5_001, 1, true],
  [10_000, 10_000, 1, true],
  [5_000, 5_000, 4, false],
  [5_000, 5_000, 5, true],
  [100, 100, 10_000, false],
  [100, 100, 10_001, true],
  [1, 25_000_001, 1, true],
])('%i x %i pixels in %i frames are too many: %s', (width, height, frames, expected) => {
  expect(isTooManyPixels({ width, height, frames })).toBe(expected);
});

it.each([
  ['https://x.example/a.jpg', 'image/jpeg'],
  ['https://x.example/a.JPEG?v=1.png', 'image/jpeg'],
  ['https://x.example/a.b.webp#top', 'image/webp'],
  ['https://x.example/film.mp4', 'video/mp4'],
  ['https://x.example/drawing.svg', 'image/svg+xml'],
  ['https://x.example/a', 'application/octet-stream'],
  ['https://x.example/a.constructor', 'application/octet-stream'],
  ['https://x.example/a.xyz', 'application/octet-stream'],
])('by its name %s is %s', (url, type) => {
  expect(contentTypeOf(url)).toBe(type);
});
