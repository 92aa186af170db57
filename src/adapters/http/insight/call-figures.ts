import { z } from 'zod';

import { EXAMPLE_TIME } from '../kit/example-record.ts';
import { rangeFields, stepFields, timesOf } from '../kit/figures.ts';

const times = timesOf('calls');

const TIMES = { p50: { ms: 3, isOver: false }, p95: { ms: 18, isOver: false } };

export const callFigures = z
  .object({
    ...rangeFields,
    ...times,
    steps: z
      .array(
        z.object({
          at: stepFields.at,
          answers: stepFields.attempts.meta({
            description: 'Answers by the class of their status. `none`: the app left before the answer ended.',
          }),
          ...times,
        }),
      )
      .readonly()
      .meta({ description: 'Oldest first. Steps without a call are omitted.' }),
  })
  .meta({
    id: 'CallFigures',
    examples: [
      {
        from: '2026-11-21T09:00:00.000Z',
        to: '2026-11-22T09:00:00.000Z',
        step: 'hour',
        ...TIMES,
        steps: [{ at: EXAMPLE_TIME, answers: { '2xx': 1_204, '3xx': 310, '4xx': 6, '5xx': 0, none: 0 }, ...TIMES }],
      },
    ],
  });
