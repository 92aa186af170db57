/**
 * Runs a task repeatedly, `seconds` after the end of the run before. A failure is reported, and the
 * next run comes. Returns a function that stops it and waits for the current run.
 */
export const repeat = (
  seconds: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const plan = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = task()
        .then(() => undefined, onError)
        .finally(plan);
    }, seconds * 1000);
    timer.unref();
  };
  plan();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
};

/**
 * Resolves after `ms` milliseconds, or when `stopping` is aborted. Not by timers/promises, which the
 * clock of a test does not reach.
 */
const rest = (ms: number, stopping?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stopping?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      stopping?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping?.addEventListener('abort', end);
  });

/** With this rest, a purge takes at most an eighth of the time of one connection. */
const REST = 7;

/**
 * Repeats a batch while it comes back full, and rests after each for `times` its duration, so that a
 * purge keeps up and slows no request. Begins no batch once `stopping` is aborted. Resolves to the
 * number of rows.
 */
export const runInBatches = async (
  batch: (limit: number) => Promise<number>,
  limit: number,
  stopping?: AbortSignal,
  times = REST,
): Promise<number> => {
  let total = 0;
  while (!stopping?.aborted) {
    const begunAt = performance.now();
    const done = await batch(limit);
    total += done;
    if (done < limit) break;
    await rest((performance.now() - begunAt) * times, stopping);
  }
  return total;
};
