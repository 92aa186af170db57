import { z } from 'zod';

import { uuid } from '../route.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';

export const redeliveredMatching = z
  .object({
    id: z.uuid().nullable().meta({ description: 'Of the redelivery. Null when it is a dry run, or nothing matches.' }),
    deliveries: z.int().meta({ description: 'The deliveries that match now and that their subscriptions may receive.' }),
    isComplete: z.boolean().meta({ description: 'False when the count stopped after 100,000 deliveries: more may match.' }),
  })
  .meta({ id: 'RedeliveredMatching', examples: [{ id: exampleId(63), deliveries: 3, isComplete: true }] });

export const redeliveryProgress = z
  .object({
    id: z.uuid(),
    storeId: z.uuid(),
    total: z
      .int()
      .nullable()
      .meta({ description: 'The deliveries that matched at the request. Null when more than 100,000 were to be counted.' }),
    sent: z.int().meta({ description: 'Those that were made due again so far.' }),
    skipped: z.int().meta({
      description: 'Those that were left out so far: they changed since the request, or may not be received any more.',
    }),
    isFinished: z.boolean().meta({ description: 'True: all that matched was sent or left out. It may differ from `total`.' }),
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

export const redeliveryParams = z.object({ redeliveryId: uuid });
