import { route, storeParams } from '../../route.ts';
import {
  watchedSubscriptions,
  watchQuery,
  merchantSubscriptionResponse,
  storeSubscriptionParams,
  subscriptionList,
  subscriptionRequest,
} from '../../schemas/subscription.ts';

const path = '/admin/stores/:storeId/webhooks/subscriptions';

/** The merchant's own subscriptions: installationId null. */
export const subscriptionRoutes = [
  route
    .post(path)
    .admin()
    .tag('Webhooks')
    .summary('Subscribe to events', 'Creates a merchant subscription. Its signing secret is shown once.')
    .params(storeParams)
    .body(subscriptionRequest)
    .returns(200, merchantSubscriptionResponse)
    .refuses('invalid', 'not_found')
    .handle((app, { params, body, cause }) => app.createMerchantSubscription(cause, params.storeId, body)),
  route
    .get(path)
    .admin()
    .tag('Webhooks')
    .summary("List the merchant's subscriptions", 'Oldest first.')
    .params(storeParams)
    .returns(200, subscriptionList)
    .refuses('not_found')
    .handle((app, { params }) => app.listSubscriptions({ storeId: params.storeId, installationId: null })),
  route
    .get('/admin/stores/:storeId/subscriptions')
    .admin()
    .tag('Webhooks')
    .summary(
      'List all subscriptions with their health',
      'Lists the subscriptions of the apps and of the merchant, oldest first. `notDeliverableBecause` says why nothing is sent to a subscription.',
    )
    .params(storeParams)
    .query(watchQuery)
    .returns(200, watchedSubscriptions)
    .refuses('not_found')
    .handle((app, { params, query }) => app.watchSubscriptions(params.storeId, query.installationId)),
  route
    .delete(`${path}/:id`)
    .admin()
    .tag('Webhooks')
    .summary('Unsubscribe', 'Deletes the subscription and drops its queued deliveries.')
    .params(storeSubscriptionParams)
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.deleteSubscription({ storeId: params.storeId, installationId: null }, params.id)),
];
