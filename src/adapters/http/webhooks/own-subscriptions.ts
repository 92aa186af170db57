import { ok } from '../../../domain/result.ts';
import { MAX_SUBSCRIPTIONS } from '../../../domain/webhooks/subscription.ts';
import { isDryRun } from '../kit/fields.ts';
import { figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { asListPage, listOfItems } from '../kit/page.ts';
import { route } from '../route.ts';
import { attemptNow, attemptAnswer } from './attempt-now.ts';
import { oneAtATime } from './dry-run-place.ts';
import { receiverFigures } from './receiver-figures.ts';
import { creationQuery } from './subscription-options.ts';
import { creationResponse, subscriptionList, subscriptionRequest, ownWatchQuery, watchedSubscription } from './subscriptions.ts';

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
  include: null,
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

const receivers = '/apps/receivers';

/** The subscriptions of the app with their health, which the API of apps does not show. */
export const ownReceiverRoutes = [
  route
    .get(receivers, 'listOwnReceivers')
    .scope('read_webhooks')
    .query(ownWatchQuery)
    .returns(200, listOfItems(watchedSubscription, 'WatchedSubscriptionPage'))
    .refuses('not_found', 'invalid')
    .handle(async (app, { caller, query: { page, filter } }) => {
      const { storeId, installationId } = caller;
      const listed = await app.watchSubscriptions(storeId, page, { ...filter, installationId });
      return listed.ok ? ok(asListPage(listed.value)) : listed;
    }),
  route
    .get(`${receivers}/:id`, 'getOwnReceiver')
    .scope('read_webhooks')
    .returns(200, watchedSubscription)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnSubscription(caller, params.id)),
  route
    .get(`${receivers}/:id/figures`, 'getOwnReceiverFigures')
    .scope('read_webhooks')
    .query(figureRangeQuery)
    .returns(200, receiverFigures)
    .refuses('not_found', 'invalid')
    .handle(async (app, { caller, params, query }) => {
      const found = await app.getOwnReceiverFigures(caller, params.id, query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
  route
    .post(`${receivers}/:id/try`, 'tryOwnReceiver')
    .scope('write_webhooks')
    .returns(200, attemptNow)
    .refuses('not_found', 'conflict')
    .handle(async (app, { caller, params, cause }) => {
      const made = await app.tryOwnNow(caller, params.id, cause);
      return made.ok ? ok(attemptAnswer(made.value)) : made;
    }),
];
