/** Changes, or names, in a list or as they come. */
export type Changes<C> = Iterable<C> | AsyncIterable<C>;

/** Limits of a chunk. */
export interface Limits<T> {
  readonly size: number;
  /** Weight of an item: 0 by default. */
  readonly weigh?: (item: T) => number;
  readonly weight?: number;
}

/** Lists of at most this size and weight, in order. An item that is too heavy is alone. */
export async function* inChunks<T>(
  items: Changes<T>,
  { size, weigh = () => 0, weight = Infinity }: Limits<T>,
): AsyncGenerator<T[], void> {
  const chunk: T[] = [];
  let sum = 0;
  const take = (): T[] => {
    sum = 0;
    return chunk.splice(0);
  };
  for await (const item of items) {
    const own = weigh(item);
    if (chunk.length > 0 && sum + own > weight) yield take();
    chunk.push(item);
    sum += own;
    if (chunk.length >= size) yield take();
  }
  if (chunk.length > 0) yield take();
}
