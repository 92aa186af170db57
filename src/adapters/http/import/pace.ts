import { setImmediate } from 'node:timers/promises';

/** Less than a millisecond of reading. */
export const SLICE_BYTES = 32 * 1024;
/** Cost of a row or a line beside its bytes, counted in bytes: a turn comes after at most 256 of them. */
const ITEM_COST = SLICE_BYTES / 256;

/**
 * Lets other requests have their turn of the event loop, however long a file is and however its
 * bytes arrive.
 */
export class Pace {
  private done = 0;

  /**
   * Counts work; true when a turn is due. Separate from `turn` so that most rows wait for nothing.
   */
  isDue(bytes: number): boolean {
    this.done += bytes;
    return this.done >= SLICE_BYTES;
  }

  isDueAfterItem(bytes: number): boolean {
    return this.isDue(bytes + ITEM_COST);
  }

  async turn(): Promise<void> {
    this.done = 0;
    await setImmediate();
  }
}

/**
 * The source in slices, with a turn of the event loop between them. A source that breaks off
 * throws.
 */
export async function* inSlices(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const pace = new Pace();
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const length = Math.min(SLICE_BYTES, chunk.length - from);
      if (pace.isDue(length)) await pace.turn();
      yield Buffer.from(chunk.buffer, chunk.byteOffset + from, length);
    }
  }
}
