/** Rejects with the signal's reason as soon as it is aborted; `work` then continues unobserved. */
export const abortable = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work;
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Waits for this many milliseconds, or rejects with the signal's reason. */
export const wait = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await abortable(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
};
