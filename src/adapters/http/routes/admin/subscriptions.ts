import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import { asListPage, listOfItems } from '../../schemas/page.ts';
import {
  watchedSubscription,
  watchQuery,
  merchantSubscriptionResponse,
  subscriptionList,
  subscriptionRequest,
} from '../../schemas/subscription.ts';

const path = '/admin/stores/:storeId/webhooks/subscriptions';

/** The merchant's own subscriptions: installationId null. */
export const subscriptionRoutes = [
  route
    .post(path)
    .admin('Webhooks')
    .summary('Subscribe to events', 'Creates a merchant subscription. Its signing secret is shown once.')
    .body(subscriptionRequest)
    .returns(200, merchantSubscriptionResponse)
    .refuses('invalid', 'not_found')
    .handle((app, { params, body, cause }) => app.createMerchantSubscription(cause, params.storeId, body)),
  route
    .get(path)
    .admin('Webhooks')
    .summary("List the merchant's subscriptions", 'Oldest first.')
    .returns(200, subscriptionList)
    .refuses('not_found')
    .handle((app, { params }) => app.listSubscriptions({ storeId: params.storeId, installationId: null })),
  route
    .get('/admin/stores/:storeId/subscriptions')
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
    .delete(`${path}/:id`)
    .admin('Webhooks')
    .summary('Unsubscribe', 'Deletes the subscription and drops its queued deliveries.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.deleteSubscription({ storeId: params.storeId, installationId: null }, params.id)),
];
