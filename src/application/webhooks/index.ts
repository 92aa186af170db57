import type { Ports } from '../../domain/ports/index.ts';
import { deleteSubscription, subscriptionChanges } from './change-subscription.ts';
import { createMerchantSubscription, createSubscription, type SubscriptionSettings } from './create-subscription.ts';
import type { DeliverySettings } from './delivery/deliver-due.ts';
import { tryNow } from './delivery/try-now.ts';
import { getDelivery } from './get-delivery.ts';
import { getEvent } from './get-event.ts';
import { listEvents } from './list-events.ts';
import { webhookLookups } from './lookups.ts';
import { pingOwnSubscription, pingSubscription } from './ping-subscription.ts';
import { readFeed } from './read-feed.ts';
import { recordEvent } from './record-event.ts';
import { redeliver, redeliverFailed, redeliverMatching } from './redeliver.ts';
import { tryOptions } from './try-options.ts';

export interface WebhookSettings extends SubscriptionSettings {
  readonly delivery: Pick<DeliverySettings, 'schedule' | 'onAttempt'>;
}

export const webhookUses = (ports: Ports, settings: WebhookSettings) => ({
  ...subscriptionChanges(ports, settings),
  ...webhookLookups(ports),
  createMerchantSubscription: createMerchantSubscription(ports, settings),
  createSubscription: createSubscription(ports, settings),
  deleteSubscription: deleteSubscription(ports),
  getDelivery: getDelivery(ports),
  getEvent: getEvent(ports),
  listEvents: listEvents(ports),
  pingOwnSubscription: pingOwnSubscription(ports),
  pingSubscription: pingSubscription(ports),
  readFeed: readFeed(ports),
  recordEvent: recordEvent(ports),
  redeliver: redeliver(ports),
  redeliverFailed: redeliverFailed(ports),
  redeliverMatching: redeliverMatching(ports),
  tryNow: tryNow(ports, settings.delivery),
  tryOptions: tryOptions(ports, settings),
});
