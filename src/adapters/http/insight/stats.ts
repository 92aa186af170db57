import { z } from 'zod';

import { FIRST_ATTEMPT_BOUNDS_MS, KEPT_DAYS, LATENCY_BOUNDS_MS, STEPS } from '../../../domain/insight/figures.ts';
import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME } from '../kit/example-record.ts';
import { timeField, millisecondsOf } from '../kit/fields.ts';
import { rangeFields, stepFields, figuresAnswer } from '../kit/figures.ts';
import { route } from '../route.ts';

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
      filtered: 2,
      gathered: 5,
      refusals: [{ check: 'rate', reason: 'rate_limited', count: 4 }],
    },
  ],
};

const step = z.object(stepFields);

export const stats = z
  .object({
    ...rangeFields,
    latencyBoundsMs: z.array(z.int()).readonly().meta({ description: 'Upper bounds in milliseconds.' }),
    firstAttemptBoundsMs: z.array(z.int()).readonly().meta({ description: 'Upper bounds in milliseconds.' }),
    steps: z.array(step).readonly().meta({ description: 'Oldest first. Steps without activity are omitted.' }),
  })
  .meta({ id: 'Stats', examples: [example] });

const statsQuery = z
  .object({
    from: timeField
      .optional()
      .meta({ description: 'Start of the range, rounded down to a full step. Default: 60 steps before `to`.' }),
    to: timeField.optional().meta({ description: 'End of the range. Default: now.' }),
    step: z
      .enum(STEPS)
      .default('hour')
      .meta({
        description: `Length of a step. Minutes are kept for ${KEPT_DAYS.minute} days, hours for ${KEPT_DAYS.hour} days.`,
      }),
  })
  .transform(({ from, to, step: length }) => ({ from: millisecondsOf(from), to: millisecondsOf(to), step: length }));

export const statsRoutes = [
  route
    .get('/admin/stores/:storeId/stats', 'getStats')
    .admin('Insight')
    .summary(
      'Get the statistics of a store',
      'Returns delivery outcomes and refused app requests by minute, hour or day in UTC. A range can have at most 2160 steps.',
    )
    .query(statsQuery)
    .returns(200, stats)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const found = await app.getStats(params.storeId, query);
      if (!found.ok) return found;
      const bounds = { latencyBoundsMs: [...LATENCY_BOUNDS_MS], firstAttemptBoundsMs: [...FIRST_ATTEMPT_BOUNDS_MS] };
      return ok({ ...figuresAnswer(found.value), ...bounds });
    }),
];
