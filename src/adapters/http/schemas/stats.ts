import { z } from 'zod';

import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS, STATUS_CLASSES, STEPS } from '../../../domain/insight/figures.ts';
import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { EXAMPLE_TIME } from './example-record.ts';
import { time } from './fields.ts';

const example = {
  from: '2026-11-21T09:00:00.000Z',
  to: '2026-11-21T10:00:00.000Z',
  step: 'minute',
  latencyBoundsMs: [...LATENCY_BOUNDS_MS],
  firstAttemptBoundsMs: [...FIRST_ATTEMPT_BOUNDS_MS],
  steps: [
    {
      at: EXAMPLE_TIME,
      deliveries: { delivered: 12, failed: 0, dropped: 0 },
      attempts: { '2xx': 12, '3xx': 0, '4xx': 0, '5xx': 1, none: 0 },
      latency: [0, 3, 8, 1, 1, 0, 0, 0, 0, 0, 0],
      firstAttempt: [2, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      refusals: [{ check: 'rate', reason: 'rate_limited', count: 4 }],
    },
  ],
};

const step = z.object({
  at: z.iso.datetime().meta({ description: 'When the step begins.' }),
  deliveries: z
    .object({ delivered: z.int(), failed: z.int(), dropped: z.int() })
    .meta({ description: 'Deliveries that ended, by outcome.' }),
  attempts: z
    .object(
      Object.fromEntries(STATUS_CLASSES.map((name) => [name, z.int()])) as Record<(typeof STATUS_CLASSES)[number], z.ZodInt>,
    )
    .meta({ description: 'Attempts by the class of the status. none: no response came.' }),
  latency: z
    .array(z.int())
    .readonly()
    .meta({ description: 'Attempts by duration: one number for each bound, and one for longer attempts.' }),
  firstAttempt: z.array(z.int()).readonly().meta({
    description:
      'First attempts by the time from the commit of the event to their start: one number for each bound, and one for longer times.',
  }),
  refusals: z.array(z.object({ check: z.enum(CHECKS), reason: z.string(), count: z.int() })).readonly(),
});

export const stats = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    step: z.enum(STEPS),
    latencyBoundsMs: z.array(z.int()).readonly().meta({ description: 'Upper bounds in milliseconds.' }),
    firstAttemptBoundsMs: z.array(z.int()).readonly().meta({ description: 'Upper bounds in milliseconds.' }),
    steps: z.array(step).readonly().meta({ description: 'The oldest first, without steps in which nothing happened.' }),
  })
  .meta({ id: 'Stats', examples: [example] });

const parsed = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const statsQuery = z
  .object({
    from: time
      .optional()
      .meta({ description: 'The beginning, which is moved back to that of a step. 60 steps before `to` by default.' }),
    to: time.optional().meta({ description: 'The end. Now by default.' }),
    step: z.enum(STEPS).default('hour').meta({ description: 'The length of a step. Minutes are kept for 7 days, hours for 90.' }),
  })
  .transform(({ from, to, step: length }) => ({ from: parsed(from), to: parsed(to), step: length }));
