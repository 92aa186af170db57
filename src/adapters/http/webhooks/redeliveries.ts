import { z } from 'zod';

import { HOLDS } from '../../../domain/webhooks/delivery.ts';
import { NOT_SENDABLE } from '../../../domain/webhooks/why-not-sendable.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { route } from '../route.ts';
import { ownRedeliverRequest } from './deliveries.ts';

export const redeliveredMatching = z
  .object({
    id: z.guid().nullable().meta({ description: 'The id of the redelivery. Null for a dry run, or if nothing matches.' }),
    deliveries: z.int().meta({ description: 'The number of matching deliveries that their subscriptions may receive.' }),
    held: z
      .array(z.object({ reason: z.enum(HOLDS), count: z.int() }))
      .readonly()
      .meta({ description: 'Those of them that wait until their receiver can be sent to.' }),
    refused: z
      .array(z.object({ reason: z.enum(NOT_SENDABLE), count: z.int() }))
      .readonly()
      .meta({ description: 'The number of matching deliveries that cannot be sent again, by reason.' }),
    isComplete: z.boolean().meta({ description: 'False if the count stopped at 100,000 deliveries; more may match.' }),
  })
  .meta({
    id: 'RedeliveredMatching',
    examples: [
      {
        id: exampleId(63),
        deliveries: 3,
        held: [{ reason: 'paused_after_failures', count: 2 }],
        refused: [{ reason: 'deactivated', count: 1 }],
        isComplete: true,
      },
    ],
  });

export const redeliveryProgress = z
  .object({
    id: z.guid(),
    storeId: z.guid(),
    installationId: z
      .guid()
      .nullable()
      .meta({ description: 'The app whose deliveries alone are sent again. Null if the filter names no app.' }),
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
        installationId: null,
        total: 2_500,
        sent: 998,
        skipped: 2,
        isFinished: false,
        createdAt: EXAMPLE_TIME,
        finishedAt: null,
      },
    ],
  });

/** Redelivery by filter, of the deliveries to the app alone. */
export const ownRedeliveryRoutes = [
  route
    .post('/apps/redeliveries', 'createOwnRedelivery')
    .scope('write_webhooks')
    .body(ownRedeliverRequest)
    .returns(202, redeliveredMatching)
    .refuses('invalid', 'not_found')
    .handle((app, { caller, body }) => app.redeliverOwnMatching(caller, body.filter, body.dryRun)),
  route
    .get('/apps/redeliveries/:id', 'getOwnRedelivery')
    .scope('read_webhooks')
    .returns(200, redeliveryProgress)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnRedelivery(caller, params.id)),
];
