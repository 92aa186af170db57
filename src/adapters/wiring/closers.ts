/** What the process closes at its end, the last first. */
export type Closers = (() => Promise<void> | void)[];
