import { z } from 'zod';

import { STEPS } from '../../../domain/insight/figures.ts';
import { millisecondsOf, time } from './fields.ts';

const percentile = z
  .object({
    ms: z.number(),
    isOver: z.boolean().meta({ description: 'It took longer than `ms`: than the last bound of the histogram.' }),
  })
  .nullable();

/** How long what was counted took. `noun`: of what, in the plural. */
export const timesOf = (noun: string) => ({
  p50: percentile.meta({ description: `Half of the ${noun} took no longer. Null where there was none.` }),
  p95: percentile.meta({ description: `95 % of the ${noun} took no longer.` }),
});

export const rangeFields = { from: z.iso.datetime(), to: z.iso.datetime(), step: z.enum(STEPS) };

export const figureRangeQuery = z
  .object({
    since: time
      .optional()
      .meta({ description: 'Start of the range, rounded down to a full step. Default: 24 hours before `until`.' }),
    until: time.optional().meta({ description: 'End of the range. Default: now.' }),
    step: z
      .enum(STEPS)
      .optional()
      .meta({ description: 'Length of a step. Default: a minute in 3 hours, an hour in 7 days, otherwise a day.' }),
  })
  .transform(({ since, until, step }) => ({ since: millisecondsOf(since), until: millisecondsOf(until), step }));
