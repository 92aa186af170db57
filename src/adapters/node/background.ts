/** Runs a task again and again, so long after its last end; failures are told and the next round comes. Returns what stops it and waits for a round that runs. */
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

/** Resolves after so many milliseconds, or when it is to stop. */
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

/** So many times as long as a batch took is rested after it: what takes an eighth of one connection's time takes little from requests. */
const REST = 7;

/**
 * Repeats a batch for as long as it comes back full, so that a purge keeps up and each of its statements stays small, with a rest after
 * each, so that it slows nobody down. Once `stopping` is aborted it begins no other. Returns how many were done.
 */
export const inBatches = async (
  batch: (limit: number) => Promise<number>,
  limit: number,
  stopping?: AbortSignal,
): Promise<number> => {
  let total = 0;
  while (!stopping?.aborted) {
    const begunAt = performance.now();
    const done = await batch(limit);
    total += done;
    if (done < limit) break;
    await rest((performance.now() - begunAt) * REST, stopping);
  }
  return total;
};
