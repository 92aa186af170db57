import { ok } from '../../../../domain/result.ts';
import { route } from '../../route.ts';
import {
  deliveryDetail,
  deliveryPage,
  deliveryParams,
  deliveryQuery,
  redelivered,
  redeliverFailedRequest,
  redeliverRequest,
  subscriptionParams,
} from '../../schemas/delivery.ts';
import { asCursorPage } from '../../schemas/cursor.ts';
import { EVENT_SAMPLES, eventSamples, merchantEvent, recordedEvent } from '../../schemas/merchant-event.ts';
import { redeliveredMatching, redeliveryParams, redeliveryProgress } from '../../schemas/redelivery.ts';
import { storeParams } from '../../schemas/subscription.ts';

/** Events that the merchant's systems cause, and the log of what was delivered. */
export const deliveryRoutes = [
  route
    .post('/admin/stores/:storeId/events')
    .admin()
    .tag('Webhooks')
    .summary(
      'Record an event',
      'Records an event of a type that no route of this service causes. A repeated id is answered with 202, and nothing is sent twice.',
    )
    .params(storeParams)
    .body(merchantEvent)
    .returns(202, recordedEvent)
    .refuses('not_found')
    .handle((app, { params, body }) => app.recordEvent(params.storeId, body)),
  route
    .get('/admin/events/samples')
    .admin()
    .tag('Webhooks')
    .summary('Get sample events', 'One for each type that you can record.')
    .returns(200, eventSamples)
    .handle(() => Promise.resolve(ok({ items: EVENT_SAMPLES }))),
  route
    .get('/admin/stores/:storeId/deliveries')
    .admin()
    .tag('Webhooks')
    .summary(
      'List deliveries',
      'Lists the deliveries that match every filter, the newest first. A page that finds few matches among 50,000 deliveries ends early, with a `next`.',
    )
    .params(storeParams)
    .query(deliveryQuery)
    .returns(200, deliveryPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listDeliveries(params.storeId, query.filter, query.page);
      return listed.ok ? ok(asCursorPage(listed.value)) : listed;
    }),
  route
    .post('/admin/stores/:storeId/deliveries/redeliver')
    .admin()
    .tag('Webhooks')
    .summary(
      'Redeliver by filter',
      'Sends again all deliveries that match the filter at this moment, each once. They are sent in batches, which a crash does not end. A delivery that changes before its batch is left out. At least one filter is required.',
    )
    .params(storeParams)
    .body(redeliverRequest)
    .returns(202, redeliveredMatching)
    .refuses('invalid', 'not_found')
    .handle((app, { params, body }) => app.redeliverMatching(params.storeId, body.filter, body.dryRun)),
  route
    .get('/admin/redeliveries/:redeliveryId')
    .admin()
    .tag('Webhooks')
    .summary('Get a redelivery by filter', 'How far it is. It is kept for as long as the deliveries.')
    .params(redeliveryParams)
    .returns(200, redeliveryProgress)
    .refuses('not_found')
    .handle((app, { params }) => app.getRedelivery(params.redeliveryId)),
  route
    .get('/admin/deliveries/:deliveryId')
    .admin()
    .tag('Webhooks')
    .summary('Get a delivery', 'The response includes its attempts.')
    .params(deliveryParams)
    .returns(200, deliveryDetail)
    .refuses('not_found')
    .handle((app, { params }) => app.getDelivery(params.deliveryId)),
  route
    .post('/admin/deliveries/:deliveryId/redeliver')
    .admin()
    .tag('Webhooks')
    .summary(
      'Redeliver',
      'Sends the same id and body again, with a new schedule. 409 when the subscription is removed or may no longer receive the type.',
    )
    .params(deliveryParams)
    .returnsNothing(202)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.redeliver(params.deliveryId)),
  route
    .post('/admin/subscriptions/:subscriptionId/redeliver-failed')
    .admin()
    .tag('Webhooks')
    .summary(
      'Redeliver all failed deliveries',
      'Redelivers those created since the given time. 409 when the subscription is deactivated.',
    )
    .params(subscriptionParams)
    .body(redeliverFailedRequest)
    .returns(202, redelivered)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.redeliverFailed(params.subscriptionId, Date.parse(body.since))),
  route
    .post('/admin/subscriptions/:subscriptionId/ping')
    .admin()
    .tag('Webhooks')
    .summary('Ping a subscription', 'Sends an event of type `ping` to the receiver, so that you can test it.')
    .params(subscriptionParams)
    .returnsNothing(202)
    .refuses('not_found')
    .handle((app, { params }) => app.pingSubscription(params.subscriptionId)),
];
