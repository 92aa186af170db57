/** What one chunk may have at most. */
export interface Limits<T> {
  readonly size: number;
  /** What an item weighs: nothing by default. */
  readonly weigh?: (item: T) => number;
  readonly weight?: number;
}

/** Lists of at most this size and weight, in order. An item that is too heavy is alone. */
export async function* inChunks<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { size, weigh = () => 0, weight = Infinity }: Limits<T>,
): AsyncGenerator<T[], void> {
  let chunk: T[] = [];
  let sum = 0;
  for await (const item of items) {
    const own = weigh(item);
    if (chunk.length > 0 && sum + own > weight) {
      yield chunk;
      [chunk, sum] = [[], 0];
    }
    chunk.push(item);
    sum += own;
    if (chunk.length < size) continue;
    yield chunk;
    [chunk, sum] = [[], 0];
  }
  if (chunk.length > 0) yield chunk;
}
