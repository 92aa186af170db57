import type { ImageSize } from './image.ts';

/** The size that the head of a PNG declares (PNG specification, 11.2.1). */
export const pngSizeOf = (head: Uint8Array): ImageSize => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return head.length < 24
    ? { width: 0, height: 0, frames: 1 }
    : { width: view.getUint32(16), height: view.getUint32(20), frames: 1 };
};
