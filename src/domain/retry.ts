export interface RetryPolicy {
  /** Includes the first try. */
  readonly tries: number;
  /** Resolves when the next try may begin. `failed` counts the tries before it. */
  readonly pause: (failed: number) => Promise<unknown>;
  /** Returns false after which no further try can succeed. By default, every error may pass. */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Runs the work until it succeeds. Throws its last error when the policy allows no further try. Waits that outlive a process
 * are stored beside their work instead: those of deliveries, of media imports, of notices and of queued jobs.
 */
export const retry = async <T>(run: () => Promise<T>, { tries, pause, mayPass = () => true }: RetryPolicy): Promise<T> => {
  for (let failed = 1; ; failed += 1) {
    try {
      return await run();
    } catch (error) {
      if (failed >= tries || !mayPass(error)) throw error;
    }
    await pause(failed);
  }
};

/** Looks until there is an answer. Returns null when the time is over before. */
export const poll = async <T>(
  look: () => Promise<T | null>,
  { pause, isOver }: { readonly pause: () => Promise<unknown>; readonly isOver: () => boolean },
): Promise<T | null> => {
  for (;;) {
    const found = await look();
    if (found !== null || isOver()) return found;
    await pause();
  }
};
