interface Peeked {
  readonly start: Buffer;
  readonly whole: AsyncGenerator<Uint8Array, void>;
  /** Lets the source go, in place of reading `whole`. */
  readonly leave: () => Promise<void>;
}

/** The first `count` bytes, or fewer if there are no more, and all bytes with them. */
export const peek = async (source: AsyncIterable<Uint8Array>, count: number): Promise<Peeked> => {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const leave = async (): Promise<void> => {
    await iterator.return?.();
  };
  const whole = async function* (): AsyncGenerator<Uint8Array, void> {
    try {
      if (start.length > 0) yield start;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await leave();
    }
  };
  return { start, whole: whole(), leave };
};
