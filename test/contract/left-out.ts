import type { TestContext } from 'vitest';

/** Why an adapter leaves a test out: it does not promise that, or is not written so far. */
export type LeftOutBecause = 'not promised' | 'not written';

declare module 'vitest' {
  interface TaskMeta {
    leftOut?: LeftOutBecause;
  }
}

/** Skips the test, for `npm run contracts` to count. */
export const leftOut = (
  task: { readonly meta: { leftOut?: LeftOutBecause } },
  skip: TestContext['skip'],
  because: LeftOutBecause,
  what: string,
): never => {
  task.meta.leftOut = because;
  return skip(`${because}: ${what}`);
};
