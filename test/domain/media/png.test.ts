import { expect, it } from 'vitest';

import { pngSizeOf } from '../../../src/domain/media/image.ts';

/** A signature, and a chunk IHDR of 640 times 480. */
const HEAD = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex');

it('the size of a PNG is in its head', () => {
  expect(pngSizeOf(HEAD)).toEqual({ width: 640, height: 480, frames: 1 });
});
it('a head that is too short has no size', () => {
  expect(pngSizeOf(HEAD.subarray(0, 23))).toEqual({ width: 0, height: 0, frames: 1 });
});
