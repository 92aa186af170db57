import type { InPlace } from '../../../application/webhooks/try-options.ts';
import { refuse } from '../../../domain/result.ts';
import type { HandlerContext } from '../handler.ts';
import { MAX_ALL_DRY_RUNS, MAX_DRY_RUNS } from '../work-share.ts';

/** A dry run ends within a second. */
const DRY_RUNS = { limit: MAX_DRY_RUNS, windowSeconds: 1 };
const TOO_MANY_DRY_RUNS = refuse(
  'rate_limited',
  `You can make one dry run at a time, and a process of the server makes at most ${String(MAX_ALL_DRY_RUNS)}. Retry after the number of seconds in Retry-After.`,
);

/** Makes the dry run of the installation or store while no other one of it is made, and only a few of all. */
export const oneAtATime =
  (context: Pick<HandlerContext, 'resources' | 'exceeded'>, of: string): InPlace =>
  async (dryRun) => {
    // The client may leave before: the work is done to its end.
    const over = new AbortController();
    try {
      if (await context.resources.workShare.take('dryRun', of, over.signal)) return await dryRun();
      context.exceeded('dry-runs', DRY_RUNS);
      return TOO_MANY_DRY_RUNS;
    } finally {
      over.abort();
    }
  };
