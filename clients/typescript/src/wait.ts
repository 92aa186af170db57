/**
 * Does work with a controller that is aborted with the signal. Not by `AbortSignal.any`, which would
 * keep a listener for each request of a signal that lives long.
 */
export const linked = async <T>(signal: AbortSignal | undefined, work: (own: AbortController) => Promise<T>): Promise<T> => {
  signal?.throwIfAborted();
  const own = new AbortController();
  const abort = (): void => own.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await work(own);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
};

/** Rejects with the signal's reason as soon as it is aborted; `work` then continues unobserved. */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  linked(signal, ({ signal: own }) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      own.addEventListener('abort', () => reject(own.reason as Error));
    });
    return Promise.race([work, aborted]);
  });

/** Waits for this many milliseconds, or rejects with the signal's reason. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(passed, signal).finally(() => clearTimeout(timer));
};
