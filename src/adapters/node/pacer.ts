/**
 * Passes each key on at once, and what comes for it meanwhile once more, but not before so many milliseconds: asked a thousand times a
 * second, the task runs a hundred times, and never later than `milliseconds` after it was asked. `close` drops what waits.
 */
export const createPacer = (
  milliseconds: number,
  task: (key: string) => Promise<unknown>,
): ((key: string) => void) & { close: () => void } => {
  const resting = new Map<string, { asked: boolean; timer: NodeJS.Timeout }>();
  let closed = false;

  const run = (key: string): void => {
    const timer = setTimeout(() => {
      const asked = resting.get(key)?.asked ?? false;
      resting.delete(key);
      if (asked && !closed) run(key);
    }, milliseconds);
    timer.unref();
    resting.set(key, { asked: false, timer });
    void task(key);
  };

  const ask = (key: string): void => {
    if (closed) return;
    const rest = resting.get(key);
    if (rest) rest.asked = true;
    else run(key);
  };
  return Object.assign(ask, {
    close: () => {
      closed = true;
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  });
};
