import { beforeAll as beforeSuite, beforeEach } from 'vitest';

import { leftOut } from './left-out.ts';
import { NotThereYet } from './so-far.ts';

/** Runs before the tests of its suite. They are skipped if it needs what the adapter does not have yet. */
export const beforeAll = (run: () => unknown): void => {
  let missing: NotThereYet | null = null;
  beforeSuite(async () => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof NotThereYet)) throw error;
      missing = error;
    }
  });
  beforeEach(({ task, skip }) => {
    if (missing) leftOut(task, skip, 'not written', missing.path);
  });
};
