import type { AddressResolver } from './address-resolver.ts';
import type { AppLife } from './app-life.ts';
import type { Backlog } from './backlog.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRepository } from './delivery-repository.ts';
import type { EventFeed } from './event-feed.ts';
import type { FeedSignal } from './feed-signal.ts';
import type { RedeliveryRepository } from './redelivery-repository.ts';
import type { SubscriptionChanges } from './subscription-changes.ts';
import type { SubscriptionRepository } from './subscription-repository.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface WebhookPorts {
  readonly addresses: AddressResolver;
  readonly appLife: AppLife;
  readonly backlog: Backlog;
  readonly deliveries: DeliveryRepository;
  readonly deliveryLog: DeliveryLog;
  readonly deliveryQueue: DeliveryQueue;
  readonly eventFeed: EventFeed;
  readonly feedSignal: FeedSignal;
  readonly redeliveries: RedeliveryRepository;
  readonly subscriptionChanges: SubscriptionChanges;
  readonly subscriptions: SubscriptionRepository;
  readonly webhookSender: WebhookSender;
}
