import { z } from 'zod';

import { EXAMPLE_TIME, exampleId } from './example-record.ts';

export const redeliveredMatching = z
  .object({
    id: z.uuid().nullable().meta({ description: 'The id of the redelivery. Null for a dry run, or if nothing matches.' }),
    deliveries: z.int().meta({ description: 'The number of matching deliveries that their subscriptions may receive.' }),
    isComplete: z.boolean().meta({ description: 'False if the count stopped at 100,000 deliveries; more may match.' }),
  })
  .meta({ id: 'RedeliveredMatching', examples: [{ id: exampleId(63), deliveries: 3, isComplete: true }] });

export const redeliveryProgress = z
  .object({
    id: z.uuid(),
    storeId: z.uuid(),
    total: z
      .int()
      .nullable()
      .meta({ description: 'The number of deliveries that matched the request. Null if more than 100,000 had to be counted.' }),
    sent: z.int().meta({ description: 'The number of deliveries scheduled again so far.' }),
    skipped: z.int().meta({
      description: 'The number of deliveries skipped so far: they changed since the request, or may no longer be received.',
    }),
    isFinished: z
      .boolean()
      .meta({ description: 'True if every matching delivery was sent or skipped. Their number may differ from `total`.' }),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'Redelivery',
    examples: [
      {
        id: exampleId(63),
        storeId: exampleId(99),
        total: 2_500,
        sent: 998,
        skipped: 2,
        isFinished: false,
        createdAt: EXAMPLE_TIME,
        finishedAt: null,
      },
    ],
  });
