import { z } from 'zod';

import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { rangeFields, stepFields, timesOf } from '../kit/figures.ts';

const times = timesOf('attempts');

const MIDDLE = { ms: 38, isOver: false };

export const receiverFigures = z
  .object({
    ...rangeFields,
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
          .object({ deliveryId: z.guid(), number: z.int(), at: z.iso.datetime() })
          .nullable()
          .meta({ description: 'The latest of these attempts that failed.' }),
      })
      .meta({ description: 'What the receiver answered.' }),
    waiting: z.object({
      count: z.int().meta({ description: 'Deliveries that have not ended, at most 100,000.' }),
      isComplete: z.boolean(),
      oldest: z
        .object({ deliveryId: z.guid(), createdAt: z.iso.datetime(), secondsOld: z.int() })
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
