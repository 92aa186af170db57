import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { receiverFigures } from './receiver-figures.ts';
import { attemptNow } from './attempt-now.ts';
import { asListPage, listOfItems } from '../kit/page.ts';
import {
  watchedSubscription,
  watchQuery,
  merchantCreationResponse,
  subscriptionEdit,
  subscriptionList,
  subscriptionRequest,
} from './subscription.ts';
import { isDryRun } from '../kit/dry-run.ts';
import { creationQuery } from './subscription-options.ts';
import { oneAtATime } from './dry-run-place.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { attemptAnswer } from './receiver-answer.ts';

const path = '/admin/stores/:storeId/webhooks/subscriptions';

const keyOf = ({ storeId, id }: { readonly storeId: string; readonly id: string }) => ({ storeId, subscriptionId: id });

/** The merchant's own subscriptions: installationId null. Of the others, what the merchant may do with them. */
export const subscriptionRoutes = [
  route
    .post(path, 'createSubscription')
    .admin('Webhooks')
    .summary('Subscribe to events', 'Creates a merchant subscription. Its signing secret is shown once.')
    .query(creationQuery)
    .tries(isDryRun)
    .body(subscriptionRequest)
    .sendsTo('url')
    .returns(200, merchantCreationResponse)
    .refuses('invalid', 'not_found', 'conflict', 'rate_limited')
    .handle(async (app, { params: { storeId }, query, body, cause, context }) =>
      isDryRun(query)
        ? namesBusy(
            context,
            await app.tryOptions({ storeId, installationId: null, scopes: null }, body, oneAtATime(context, storeId)),
          )
        : namesBusy(context, await app.createMerchantSubscription(cause, storeId, body)),
    ),
  route
    .get(path, 'listMerchantSubscriptions')
    .admin('Webhooks')
    .summary("List the merchant's subscriptions", 'Oldest first.')
    .returns(200, subscriptionList)
    .refuses('not_found')
    .handle((app, { params }) => app.listSubscriptions({ storeId: params.storeId, installationId: null })),
  route
    .get('/admin/stores/:storeId/subscriptions', 'listSubscriptions')
    .admin('Webhooks')
    .summary(
      'List all subscriptions with their health',
      'Lists the subscriptions of the apps and of the merchant that match every filter, oldest first. `notDeliverableBecause` says why nothing is sent to a subscription.',
    )
    .query(watchQuery)
    .returns(200, listOfItems(watchedSubscription, 'WatchedSubscriptionPage'))
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query: { page, filter } }) => {
      const listed = await app.watchSubscriptions(params.storeId, page, filter);
      return listed.ok ? ok(asListPage(listed.value)) : listed;
    }),
  route
    .get(`${path}/:id`, 'getSubscription')
    .admin('Webhooks')
    .summary('Get a subscription with its health', 'Returns a subscription of the merchant or of an app.')
    .returns(200, watchedSubscription)
    .refuses('not_found')
    .handle((app, { params }) => app.getSubscription(params.storeId, params.id)),
  route
    .get(`${path}/:id/figures`, 'getSubscriptionFigures')
    .admin('Insight')
    .summary(
      'Get the figures of a subscription',
      'Returns the attempts over time with p50 and p95 of their duration, what the receiver answered, what waits and the last failure.',
    )
    .query(figureRangeQuery)
    .returns(200, receiverFigures)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const found = await app.getReceiverFigures(keyOf(params), query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
  route
    .patch(`${path}/:id`, 'updateSubscription')
    .admin('Webhooks')
    .summary(
      'Edit a subscription',
      'Keeps the id, the signing secret and the queued deliveries, which go to the new URL. The probe of an open breaker is due at once at a new URL. Returns 409 for the subscription of an app.',
    )
    .body(subscriptionEdit)
    .returns(200, watchedSubscription)
    .refuses('invalid', 'not_found', 'conflict', 'rate_limited')
    .handle(async (app, { params, body, context }) => namesBusy(context, await app.editSubscription(keyOf(params), body))),
  route
    .post(`${path}/:id/pause`, 'pauseSubscription')
    .admin('Webhooks')
    .summary(
      'Pause a subscription',
      'Nothing is sent to it after the answer, and its deliveries wait without losing an attempt. Also for the subscription of an app. Returns 409 if it is deactivated, or the event address of a platform app.',
    )
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.pauseSubscription(keyOf(params))),
  route
    .post(`${path}/:id/resume`, 'resumeSubscription')
    .admin('Webhooks')
    .summary('Resume a subscription', 'Ends the pause: what waited is sent.')
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.resumeSubscription(keyOf(params))),
  route
    .post(`${path}/:id/reactivate`, 'reactivateSubscription')
    .admin('Webhooks')
    .summary(
      'Reactivate a subscription',
      'Activates a deactivated subscription with its id, its signing secret and its history. Deliveries that ended stay as they are: you can send them again. Returns 409 while earlier deliveries are still being closed.',
    )
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.reactivateSubscription(keyOf(params))),
  route
    .post(`${path}/:id/try`, 'trySubscription')
    .admin('Webhooks')
    .summary(
      'Try a receiver now',
      'Makes one attempt at the next due delivery, or at a `ping` when none waits, even while the circuit breaker is open, and returns its outcome. It counts as an attempt of the delivery. Its success closes the breaker and releases the others. Returns 409 if nothing may be sent, or while another attempt is being made.',
    )
    .returns(200, attemptNow)
    .refuses('not_found', 'conflict')
    .handle(async (app, { params, cause }) => {
      const made = await app.tryNow(cause, keyOf(params));
      return made.ok ? ok(attemptAnswer(made.value)) : made;
    }),
  route
    .delete(`${path}/:id`, 'deleteSubscription')
    .admin('Webhooks')
    .summary('Unsubscribe', 'Deletes the subscription and drops its queued deliveries.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.deleteSubscription({ storeId: params.storeId, installationId: null }, params.id)),
];
