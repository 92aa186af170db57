import { z } from 'zod';

import { STATUS_CLASSES, STEPS, type FigureRange } from '../../../domain/insight/figures.ts';
import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { isoTime } from '../../../domain/time.ts';
import { millisecondsOf, timeField } from './fields.ts';

const percentile = z
  .object({
    ms: z.number(),
    isOver: z.boolean().meta({ description: 'It took longer than `ms`: than the last bound of the histogram.' }),
  })
  .nullable();

/** Percentiles of a duration. `noun` names the counted things, in the plural. */
export const timesOf = (noun: string) => ({
  p50: percentile.meta({ description: `Half of the ${noun} took no longer. Null where there was none.` }),
  p95: percentile.meta({ description: `95 % of the ${noun} took no longer.` }),
});

export const rangeFields = { from: z.iso.datetime(), to: z.iso.datetime(), step: z.enum(STEPS) };

export const stepFields = {
  at: z.iso.datetime().meta({ description: 'Start of the step.' }),
  deliveries: z
    .object({ delivered: z.int(), failed: z.int(), dropped: z.int() })
    .meta({ description: 'Number of ended deliveries by outcome.' }),
  attempts: z
    .object(
      Object.fromEntries(STATUS_CLASSES.map((name) => [name, z.int()])) as Record<(typeof STATUS_CLASSES)[number], z.ZodInt>,
    )
    .meta({ description: 'Number of attempts by status class. none: no response was received.' }),
  latency: z
    .array(z.int())
    .readonly()
    .meta({ description: 'Number of attempts by duration: one value for each bound, and one for longer attempts.' }),
  firstAttempt: z.array(z.int()).readonly().meta({
    description:
      'Number of first attempts by the time from the commit of the event to the start of the attempt: one value for each bound, and one for longer times.',
  }),
  filtered: z.int().meta({ description: 'Number of events that the filters of subscriptions kept from them.' }),
  gathered: z.int().meta({ description: 'Number of events that were gathered into the delivery of another.' }),
  refusals: z.array(z.object({ check: z.enum(CHECKS), reason: z.string(), count: z.int() })).readonly(),
};

export const figureRangeQuery = z
  .object({
    since: timeField
      .optional()
      .meta({ description: 'Start of the range, rounded down to a full step. Default: 24 hours before `until`.' }),
    until: timeField.optional().meta({ description: 'End of the range. Default: now.' }),
    step: z
      .enum(STEPS)
      .optional()
      .meta({ description: 'Length of a step. Default: a minute in 3 hours, an hour in 7 days, otherwise a day.' }),
  })
  .transform(({ since, until, step }) => ({ since: millisecondsOf(since), until: millisecondsOf(until), step }));

/** Figures of a range, with its times as texts. */
export const figuresAnswer = <Of extends FigureRange>({ from, to, ...figures }: Of) => ({
  from: isoTime(from),
  to: isoTime(to),
  ...figures,
});
