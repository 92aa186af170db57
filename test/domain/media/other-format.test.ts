import { describe, expect, it } from 'vitest';

import { otherFormatOf } from '../../../src/domain/media/image.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('the format of a file that is not supported', () => {
  it.each([
    ['a HEIC image', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a HEIC image', '\0\0\0\x18ftyphevc\0\0\0\0'],
    ['a HEIC image', '\0\0\0\x18ftypmif1\0\0\0\0heic'],
    ['an SVG image', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['an SVG image', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- by <hand> -->\n<!DOCTYPE svg PUBLIC "x" [<!ENTITY a "b">]>\n<svg>'],
    ['a JPEG XL image', '\xff\x0a\xfa'],
    ['a JPEG XL image', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['a TIFF image', 'II*\0\x08\0\0\0'],
    ['a TIFF image', 'MM\0*\0\0\0\x08'],
    ['a BMP image', 'BM\x36\0\0\0'],
    ['a JPEG 2000 image', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['a JPEG 2000 image', '\xff\x4f\xff\x51'],
    ['a PDF document', '%PDF-1.7'],
    ['an HTML page', '\r\n<!DOCTYPE html>'],
    ['an HTML page', '<!-- Not found --><html lang="en">'],
    ['an HTML page', '<head><title>x</title>'],
  ])('is %s: %j', (format, text) => {
    expect(otherFormatOf(bytes(text))).toBe(format);
  });

  it.each([
    '',
    'x',
    '<svgx>',
    '<rss>',
    '{"error":"x"}',
    '\0\0\0\x18ftypisom',
    '\0\0\0\x18mootheic',
    '{"page":"<head>"}',
    '<!--'.repeat(250),
  ])('is not known: %j', (text) => {
    expect(otherFormatOf(bytes(text))).toBeNull();
  });
});
