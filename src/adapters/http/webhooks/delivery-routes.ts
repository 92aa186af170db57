import { ok } from '../../../domain/result.ts';
import { asCursorPage } from '../kit/page.ts';
import { route } from '../route.ts';
import {
  deliveryDetail,
  deliveryPage,
  redelivered,
  deliveryQuery,
  redeliverFailedRequest,
  redeliverRequest,
  ownDeliveryDetail,
  ownDeliveryQuery,
} from './deliveries.ts';
import { EVENT_SAMPLES, eventSamples, merchantEvent, recordedEvent } from './merchant-event.ts';
import { redeliveredMatching, redeliveryProgress } from './redeliveries.ts';

export const deliveryRoutes = [
  route
    .post('/admin/stores/:storeId/events', 'createEvent')
    .admin('Webhooks')
    .summary(
      'Record an event',
      'Records an event that Tenon does not create itself, such as a new order. Repeating an id returns 202, and nothing is sent twice.',
    )
    .body(merchantEvent)
    .notAudited()
    .returns(202, recordedEvent)
    .refuses('invalid', 'not_found')
    .handle((app, { params, body, cause }) => app.recordEvent(cause, params.storeId, body)),
  route
    .get('/admin/events/samples', 'listSampleEvents')
    .admin('Webhooks', { stores: 'own' })
    .summary('Get sample events', 'Returns one sample for each event type that you can record.')
    .returns(200, eventSamples)
    .handle(() => Promise.resolve(ok({ items: EVENT_SAMPLES }))),
  route
    .get('/admin/stores/:storeId/deliveries', 'listDeliveries')
    .admin('Webhooks')
    .summary(
      'List deliveries',
      'Lists the deliveries that match every filter, newest first. After 50,000 deliveries without enough matches, a page ends early with a `next`. With `resourceId`, no page ends early.',
    )
    .query(deliveryQuery)
    .returns(200, deliveryPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listDeliveries(params.storeId, query.filter, query.page);
      return listed.ok ? ok(asCursorPage(listed.value)) : listed;
    }),
  route
    .post('/admin/stores/:storeId/deliveries/redeliver', 'createRedelivery')
    .admin('Webhooks')
    .summary(
      'Redeliver by filter',
      'Redelivers all deliveries that match the filter now, each once, in batches; a crash does not stop them. A delivery that changes before its batch is skipped. At least one filter is required.',
    )
    .body(redeliverRequest)
    .returns(202, redeliveredMatching)
    .refuses('invalid', 'not_found')
    .handle((app, { params, body }) => app.redeliverMatching(params.storeId, body.filter, body.dryRun)),
  route
    .get('/admin/redeliveries/:redeliveryId', 'getRedelivery')
    .admin('Webhooks')
    .summary('Get a redelivery by filter', 'Returns the progress of the redelivery, which is kept as long as the deliveries.')
    .returns(200, redeliveryProgress)
    .refuses('not_found')
    .handle((app, { params }) => app.getRedelivery(params.redeliveryId)),
  route
    .get('/admin/deliveries/:deliveryId', 'getDelivery')
    .admin('Webhooks')
    .summary('Get a delivery', 'Returns the delivery with its attempts.')
    .returns(200, deliveryDetail)
    .refuses('not_found')
    .handle((app, { params }) => app.getDelivery(params.deliveryId)),
  route
    .post('/admin/deliveries/:deliveryId/redeliver', 'redeliverDelivery')
    .admin('Webhooks')
    .summary(
      'Redeliver',
      'Sends the same id and body again, with a new retry schedule. Returns 409 if the subscription was removed or may no longer receive the type.',
    )
    .returnsNothing(202)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.redeliver(params.deliveryId)),
  route
    .post('/admin/subscriptions/:subscriptionId/redeliver-failed', 'redeliverFailedDeliveries')
    .admin('Webhooks')
    .summary(
      'Redeliver all failed deliveries',
      'Redelivers the failed deliveries created since the given time. Returns 409 if the subscription is deactivated.',
    )
    .body(redeliverFailedRequest)
    .returns(202, redelivered)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.redeliverFailed(params.subscriptionId, Date.parse(body.since))),
  route
    .post('/admin/subscriptions/:subscriptionId/ping', 'pingSubscription')
    .admin('Webhooks')
    .summary('Ping a subscription', 'Sends a `ping` event to the receiver, so that you can test it.')
    .returnsNothing(202)
    .refuses('not_found')
    .handle((app, { params, cause }) => app.pingSubscription(cause, params.subscriptionId)),
];

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
