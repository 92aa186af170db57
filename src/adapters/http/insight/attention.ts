import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { HOLDS } from '../../../domain/webhooks/delivery.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { importExample, importSummary } from '../media/import-log.ts';
import { route } from '../route.ts';
import { watchedSubscription } from '../webhooks/subscriptions.ts';

const truncated = <S extends z.ZodType>(item: S, description: string) =>
  z
    .object({
      items: z.array(item).readonly().meta({ description: 'At most 20.' }),
      isComplete: z.boolean().meta({ description: 'False if there are more.' }),
    })
    .meta({ description });

const count = z.int().meta({ description: 'At most 100,000 for each reason.' });
const isComplete = z.boolean().meta({ description: 'False if there are more than were counted.' });

const example = {
  checkedAt: EXAMPLE_TIME,
  failingSubscriptions: { items: [], isComplete: true },
  deactivatedSubscriptions: { items: [], isComplete: true },
  waiting: { count: 44, isComplete: true, oldest: { deliveryId: exampleId(61), createdAt: EXAMPLE_TIME, secondsOld: 620 } },
  due: {
    count: 3,
    isComplete: true,
    oldest: { deliveryId: exampleId(61), subscriptionId: exampleId(40), dueAt: EXAMPLE_TIME, secondsLate: 12 },
  },
  held: [{ reason: 'app_suspended', count: 41, isComplete: true }],
  mediaImports: { items: [importExample], isComplete: true },
  refusals: [{ check: 'rate', reason: 'rate_limited', count: 4 }],
  failedDeliveries: { count: 2, isComplete: true, since: EXAMPLE_TIME },
};

export const attention = z
  .object({
    checkedAt: z.iso.datetime(),
    failingSubscriptions: truncated(
      watchedSubscription.extend({
        waiting: z.object({ count, isComplete }).meta({ description: 'Its deliveries that have not ended.' }),
      }),
      'Active subscriptions whose last attempt failed, those with the most waiting deliveries first.',
    ),
    waiting: z
      .object({
        count,
        isComplete,
        oldest: z
          .object({ deliveryId: z.guid(), createdAt: z.iso.datetime(), secondsOld: z.int() })
          .nullable()
          .meta({ description: 'The oldest of them.' }),
      })
      .meta({ description: 'Deliveries that have not ended: due, kept from being sent, or waiting for their next attempt.' }),
    deactivatedSubscriptions: truncated(watchedSubscription, 'Deactivated subscriptions, latest first.'),
    due: z
      .object({
        count,
        isComplete,
        oldest: z
          .object({
            deliveryId: z.guid(),
            subscriptionId: z.guid(),
            dueAt: z.iso.datetime(),
            secondsLate: z.int(),
          })
          .nullable()
          .meta({ description: 'The delivery that has been due for the longest time.' }),
      })
      .meta({ description: 'Deliveries that are due. They are usually sent within a second.' }),
    held: z
      .array(z.object({ reason: z.enum(HOLDS), count, isComplete }))
      .readonly()
      .meta({
        description: 'Deliveries held because of the store, the app or the circuit breaker, by the first reason that applies.',
      }),
    mediaImports: truncated(importSummary, 'Media imports of the last 7 days with a failed item, latest first.'),
    refusals: z
      .array(z.object({ check: z.enum(CHECKS), reason: z.string(), count: z.int() }))
      .readonly()
      .meta({ description: 'Refused requests of the last hour, most frequent first. At most 50 reasons.' }),
    failedDeliveries: z
      .object({
        count: z.int().meta({ description: 'At most 100,000.' }),
        isComplete: z
          .boolean()
          .meta({ description: 'False if only the newest 100,000 deliveries with an error were looked at.' }),
        since: z.iso.datetime(),
      })
      .meta({
        description:
          'Deliveries that became Failed in the last 24 hours and were not sent again. They are in the list of deliveries with `status=Failed`; its `since` is the time of creation, which may be days before.',
      }),
  })
  .meta({ id: 'Attention', examples: [example] });

export const attentionRoutes = [
  route
    .get('/admin/stores/:storeId/attention', 'getAttention')
    .admin('Insight')
    .summary(
      'Get what needs attention',
      'Returns failing subscriptions, waiting deliveries, failed imports and refused requests. Every list and count is limited.',
    )
    .returns(200, attention)
    .refuses('not_found')
    .handle((app, { params }) => app.getAttention(params.storeId)),
];
