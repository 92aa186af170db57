import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { asCursorPage } from '../kit/cursor.ts';
import { deliveryPage, ownDeliveryDetail } from './delivery.ts';
import { ownDeliveryQuery } from './delivery-filter.ts';

const path = '/apps/webhooks/deliveries';

export const ownDeliveryRoutes = [
  route
    .get(path, 'listDeliveries')
    .scope('read_webhooks', 'Webhooks')
    .summary(
      'List deliveries',
      'Lists the deliveries to this installation that match every filter, newest first. After 50,000 deliveries without enough matches, a page ends early with a `next`. With `resourceId`, no page ends early.',
    )
    .query(ownDeliveryQuery)
    .returns(200, deliveryPage)
    .refuses('invalid', 'not_found')
    .handle(async (app, { caller, query }) => {
      const filter = { ...query.filter, installationId: caller.installationId };
      const listed = await app.listDeliveries(caller.storeId, filter, query.page);
      return listed.ok ? ok(asCursorPage(listed.value)) : listed;
    }),
  route
    .get(`${path}/:id`, 'getDelivery')
    .scope('read_webhooks', 'Webhooks')
    .summary('Get a delivery', 'Returns the delivery with its attempts.')
    .returns(200, ownDeliveryDetail)
    .refuses('not_found')
    .handle(async (app, { caller, params }) => {
      const found = await app.getDelivery(params.id, caller);
      if (!found.ok) return found;
      // The app may have lost the scope for the event, so it reads the event itself by its id.
      const { body: _, log, ...delivery } = found.value;
      return ok({ ...delivery, log: log.map(({ address: _address, ...attempt }) => attempt) });
    }),
  route
    .post(`${path}/:id/redeliver`, 'redeliverDelivery')
    .scope('write_webhooks', 'Webhooks')
    .summary(
      'Redeliver',
      'Sends the same id and body again, with a new retry schedule. Returns 409 if the subscription was removed or may no longer receive the type.',
    )
    .returnsNothing(202)
    .refuses('not_found', 'conflict')
    .handle((app, { caller, params }) => app.redeliver(params.id, caller)),
  route
    .post('/apps/webhooks/subscriptions/:id/ping', 'pingSubscription')
    .scope('write_webhooks', 'Webhooks')
    .summary('Ping a subscription', 'Sends a `ping` event to the receiver, so that you can test it.')
    .returnsNothing(202)
    .refuses('not_found')
    .handle((app, { caller, params, cause }) => app.pingOwnSubscription(cause, caller, params.id)),
];
