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

/** Repeats a batch for as long as it comes back full, so that a purge keeps up and each of its statements stays small. */
export const inBatches = async (batch: (limit: number) => Promise<number>, limit: number): Promise<number> => {
  let total = 0;
  for (;;) {
    const done = await batch(limit);
    total += done;
    if (done < limit) return total;
  }
};
