import { describe, expect, it } from 'vitest';

import { gifSizeOf } from '../../../src/domain/media/gif.ts';
import { gifOf } from '../../support/odd-images.ts';

const SMALL = { width: 10, height: 10 };

describe('the canvas and the frames of a GIF', () => {
  it.each([
    ['its screen', gifOf(300, 200, SMALL), { width: 300, height: 200, frames: 1 }],
    ['each of its frames', gifOf(10, 10, SMALL, { width: 6000, height: 5 }), { width: 6000, height: 10, frames: 2 }],
    [
      'a frame that lies elsewhere',
      gifOf(10, 10, { ...SMALL, x: 65_535, y: 40_000 }),
      { width: 65_545, height: 40_010, frames: 1 },
    ],
    ['a frame without a screen', gifOf(0, 0, SMALL), { ...SMALL, frames: 1 }],
    ['no frame', gifOf(10, 20), { width: 10, height: 20, frames: 0 }],
  ])('hold %s', (_, bytes, expected) => {
    expect(gifSizeOf(bytes)).toEqual({ ...expected, end: bytes.length - 1 });
  });

  it('count beyond comments and colour tables, in which the bytes of a frame may occur', () => {
    const comment = Buffer.from([0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 1, 0x3b, 0]);
    const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([10, 0, 10, 0, 0x81, 0, 0]), Buffer.alloc(12, 0x2c)]);
    const local = Buffer.concat([
      Buffer.from([0x2c, 0, 0, 0, 0, 20, 0, 1, 0, 0x80]),
      Buffer.alloc(6, 0x2c),
      Buffer.from([2, 1, 0x44, 0]),
    ]);
    expect(gifSizeOf(Buffer.concat([head, comment, local, local, Buffer.from([0x3b]), local]))).toMatchObject({
      width: 20,
      height: 10,
      frames: 2,
    });
  });

  it('count without colour tables, also where the flags name their size', () => {
    const screen = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([10, 0, 10, 0, 0x07, 0, 0])]);
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 20, 0, 1, 0, 0x07, 2, 1, 0x44, 0]);
    expect(gifSizeOf(Buffer.concat([screen, frame, frame, Buffer.from([0x3b])]))).toMatchObject({
      width: 20,
      height: 10,
      frames: 2,
    });
  });

  it('end at the first byte that begins no block', () => {
    const one = gifOf(10, 10, SMALL).subarray(0, -1);
    expect(gifSizeOf(Buffer.concat([one, gifOf(20, 20, SMALL)]))).toEqual({ ...SMALL, frames: 1, end: one.length });
  });

  it('are found in every truncated file', () => {
    const whole = gifOf(10, 10, SMALL, SMALL);
    for (let length = 0; length <= whole.length; length += 1) {
      expect(gifSizeOf(whole.subarray(0, length)).frames).toBeLessThanOrEqual(2);
    }
  });
});
