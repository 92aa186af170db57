import { z } from 'zod';

import { STEPS } from '../../../domain/insight/figures.ts';
import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { exampleId, EXAMPLE_TIME } from './example-record.ts';
import { time, millisecondsOf } from './fields.ts';
import { stepFields } from './stats.ts';

const percentile = z
  .object({
    ms: z.number(),
    isOver: z.boolean().meta({ description: 'It took longer than `ms`: than the last bound of the histogram.' }),
  })
  .nullable();
const times = {
  p50: percentile.meta({ description: 'Half of the attempts took no longer. Null where none was made.' }),
  p95: percentile.meta({ description: '95 % of the attempts took no longer.' }),
};

const MIDDLE = { ms: 38, isOver: false };

export const receiverFigures = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    step: z.enum(STEPS),
    ...times,
    steps: z
      .array(z.object({ at: stepFields.at, deliveries: stepFields.deliveries, attempts: stepFields.attempts, ...times }))
      .readonly()
      .meta({ description: 'Oldest first. Steps without activity are omitted.' }),
    answers: z
      .object({
        deliveries: z.int().meta({ description: 'How many deliveries were looked at: the newest of the range, at most 1,000.' }),
        isComplete: z.boolean().meta({ description: 'Whether these are all of the range.' }),
        items: z
          .array(z.object({ status: z.int().nullable(), error: z.enum(ATTEMPT_ERRORS).nullable(), count: z.int() }))
          .readonly()
          .meta({ description: 'Their attempts by status and error, the most frequent first.' }),
        lastFailure: z
          .object({ deliveryId: z.uuid(), number: z.int(), at: z.iso.datetime() })
          .nullable()
          .meta({ description: 'The latest of these attempts that failed.' }),
      })
      .meta({ description: 'What the receiver answered.' }),
    waiting: z.object({
      count: z.int().meta({ description: 'Deliveries that have not ended, at most 100,000.' }),
      isComplete: z.boolean(),
      oldest: z
        .object({ deliveryId: z.uuid(), createdAt: z.iso.datetime(), secondsOld: z.int() })
        .nullable()
        .meta({ description: 'The oldest of the 10,000 that are due first.' }),
    }),
  })
  .meta({
    id: 'ReceiverFigures',
    examples: [
      {
        from: '2026-11-21T09:00:00.000Z',
        to: '2026-11-22T09:00:00.000Z',
        step: 'hour',
        p50: MIDDLE,
        p95: { ms: 240, isOver: false },
        steps: [
          {
            at: EXAMPLE_TIME,
            deliveries: { delivered: 12, failed: 0, dropped: 0 },
            attempts: { '2xx': 12, '3xx': 0, '4xx': 0, '5xx': 1, none: 0 },
            p50: MIDDLE,
            p95: { ms: 240, isOver: false },
          },
        ],
        answers: {
          deliveries: 12,
          isComplete: true,
          items: [
            { status: 204, error: null, count: 12 },
            { status: 503, error: null, count: 1 },
          ],
          lastFailure: { deliveryId: exampleId(61), number: 1, at: EXAMPLE_TIME },
        },
        waiting: { count: 1, isComplete: true, oldest: { deliveryId: exampleId(61), createdAt: EXAMPLE_TIME, secondsOld: 12 } },
      },
    ],
  });

export const receiverFiguresQuery = z
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
