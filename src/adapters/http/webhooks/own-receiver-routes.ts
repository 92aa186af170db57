import { asListPage, listOfItems } from '../kit/page.ts';
import { attemptNow } from './attempt-now.ts';
import { figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { receiverFigures } from './receiver-figures.ts';
import { ownWatchQuery, watchedSubscription } from './subscription.ts';
import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { attemptAnswer } from './receiver-answer.ts';

const path = '/apps/receivers';

/** The subscriptions of the app with their health, which the API of apps does not show. */
export const ownReceiverRoutes = [
  route
    .get(path, 'listOwnReceivers')
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
    .get(`${path}/:id`, 'getOwnReceiver')
    .scope('read_webhooks')
    .returns(200, watchedSubscription)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnSubscription(caller, params.id)),
  route
    .get(`${path}/:id/figures`, 'getOwnReceiverFigures')
    .scope('read_webhooks')
    .query(figureRangeQuery)
    .returns(200, receiverFigures)
    .refuses('not_found', 'invalid')
    .handle(async (app, { caller, params, query }) => {
      const found = await app.getOwnReceiverFigures(caller, params.id, query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
  route
    .post(`${path}/:id/try`, 'tryOwnReceiver')
    .scope('write_webhooks')
    .returns(200, attemptNow)
    .refuses('not_found', 'conflict')
    .handle(async (app, { caller, params, cause }) => {
      const made = await app.tryOwnNow(caller, params.id, cause);
      return made.ok ? ok(attemptAnswer(made.value)) : made;
    }),
];
