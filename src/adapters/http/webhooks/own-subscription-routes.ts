import { MAX_SUBSCRIPTIONS } from '../../../domain/webhooks/subscription.ts';
import { route } from '../route.ts';
import { creationResponse, subscriptionList, subscriptionRequest } from './subscription.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { isDryRun } from '../kit/dry-run.ts';
import { oneAtATime } from './dry-run-place.ts';
import { creationQuery } from './subscription-options.ts';

const path = '/apps/webhooks/subscriptions';

const example = {
  id: '019a0000-0000-7000-8000-000000000001',
  url: 'https://hooks.example.com/tenon',
  description: 'Catalogue sync',
  eventTypes: ['product.updated'],
  isActive: true,
  hasSigningSecret: true,
  isDeliverable: true,
  filter: null,
  fields: null,
  order: null,
  gather: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: null,
  installationId: '019a0000-0000-7000-8000-000000000002',
};

export const ownSubscriptionRoutes = [
  route
    .post(path, 'createSubscription')
    .scope('write_webhooks', 'Webhooks')
    .summary(
      'Subscribe to events',
      `An installation can have at most ${MAX_SUBSCRIPTIONS} subscriptions. A subscription cannot be updated: create another one that \`replaces\` it. Returns 404 if it replaces an unknown subscription, and 409 if that one is deactivated or too many of its deliveries wait.`,
    )
    .query(creationQuery)
    .tries(isDryRun)
    .body(subscriptionRequest)
    .sendsTo('url')
    .returns(200, creationResponse)
    .refuses('invalid', 'unauthenticated', 'not_found', 'conflict', 'rate_limited')
    .example({ body: { url: example.url, eventTypes: example.eventTypes, description: example.description }, response: example })
    .handle(async (app, { caller, query, body, cause, context }) =>
      isDryRun(query)
        ? namesBusy(context, await app.tryOptions(caller, body, oneAtATime(context, caller.installationId)))
        : namesBusy(context, await app.createSubscription(cause, caller, body)),
    ),
  route
    .get(path, 'listSubscriptions')
    .scope('read_webhooks', 'Webhooks')
    .summary('List the subscriptions', 'Lists the subscriptions of this installation, oldest first.')
    .returns(200, subscriptionList)
    .refuses('not_found')
    .example({ response: [example] })
    .handle((app, { caller }) => app.listSubscriptions(caller)),
  route
    .delete(`${path}/:id`, 'deleteSubscription')
    .scope('write_webhooks', 'Webhooks')
    .summary('Unsubscribe', 'Deletes the subscription and drops its queued deliveries.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { caller, params }) => app.deleteSubscription(caller, params.id)),
];
