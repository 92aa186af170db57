import { describe, expect, it } from 'vitest';

import { IMAGE_TYPES, mediaKey, parseMediaKey } from '../../../src/domain/media/media-file.ts';

const storeId = '019a0000-0000-7000-8000-00000000abcd';
const sha256 = 'ab'.repeat(32);

describe('the key of a media file', () => {
  it('is the store, the hash of the bytes and the extension, and reads back', () => {
    for (const extension of Object.keys(IMAGE_TYPES) as (keyof typeof IMAGE_TYPES)[]) {
      const file = { storeId, sha256, extension };
      expect(mediaKey(file)).toBe(`${storeId}/${sha256}.${extension}`);
      expect(parseMediaKey(mediaKey(file))).toEqual(file);
    }
  });
  it.each([
    '',
    `${storeId}/${sha256}`,
    `${storeId}/${sha256}.exe`,
    `${storeId}/${sha256}.constructor`,
    `${storeId}/${sha256}.JPG`,
    `${storeId}/${sha256.toUpperCase()}.jpg`,
    `${storeId}/${sha256}0.jpg`,
    `${storeId}/../${sha256}.jpg`,
    `/${storeId}/${sha256}.jpg`,
    `${storeId}/${sha256}.jpg\n`,
    `${storeId.slice(1)}/${sha256}.jpg`,
  ])('%j is not a key', (text) => expect(parseMediaKey(text)).toBeNull());
});

it('each extension has its registered media type', () => {
  expect(IMAGE_TYPES).toEqual({
    jpg: 'image/jpeg',
    png: 'image/png',
    webp: 'image/webp',
    gif: 'image/gif',
    avif: 'image/avif',
  });
});
