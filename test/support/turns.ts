/** Runs the work and counts how often the event loop turned meanwhile. */
export const countingTurns = async <T>(work: () => Promise<T>): Promise<{ value: T; turns: number }> => {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  try {
    return { value: await work(), turns };
  } finally {
    clearImmediate(next);
  }
};

/**
 * The bytes as a source that has the next chunk at once, so that it gives nobody a turn by itself.
 */
export async function* inChunks(bytes: Buffer, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size));
}
