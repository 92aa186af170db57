/**
 * Reads at most once in this many milliseconds. Callers meanwhile share the result, and a read that
 * takes longer is shared until its end. A failure is not kept. `now` in milliseconds.
 */
export const atMostEvery = <T>(
  milliseconds: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let latest: { readonly result: Promise<T>; readonly begun: number; isOver: boolean } | undefined;
  return () => {
    if (latest && (!latest.isOver || now() - latest.begun < milliseconds)) return latest.result;
    const current = { result: read(), begun: now(), isOver: false };
    latest = current;
    current.result.then(
      () => {
        current.isOver = true;
      },
      () => {
        latest = undefined;
      },
    );
    return current.result;
  };
};
