import type { z } from 'zod';

import type * as deliveries from './deliveries.ts';
import type * as attempts from './attempt-now.ts';
import type * as merchantEvents from './merchant-event.ts';
import type * as receivers from './receiver-figures.ts';
import type * as redeliveries from './redeliveries.ts';
import type * as subscriptions from './subscriptions.ts';
import type { dryRun } from './subscription-options.ts';
import type * as events from './events.ts';

export type Delivery = z.output<typeof deliveries.delivery>;
export type DeliveryDetail = z.output<typeof deliveries.deliveryDetail>;
export type DeliveryPage = z.output<typeof deliveries.deliveryPage>;
export type AttemptNow = z.output<typeof attempts.attemptNow>;
export type Attempt = DeliveryDetail['log'][number];
export type EventSamples = z.output<typeof merchantEvents.eventSamples>;
export type ReceiverFigures = z.output<typeof receivers.receiverFigures>;
export type RecordedEvent = z.output<typeof merchantEvents.recordedEvent>;
export type Redelivery = z.output<typeof redeliveries.redeliveryProgress>;
export type RedeliveredMatching = z.output<typeof redeliveries.redeliveredMatching>;
export type MerchantSubscription = z.output<typeof subscriptions.merchantSubscriptionResponse>;
export type SubscriptionDryRun = z.output<typeof dryRun>;
export type Subscription = z.output<typeof subscriptions.subscriptionResponse>;
export type WatchedSubscription = z.output<typeof subscriptions.watchedSubscription>;
export type EventDetail = z.output<typeof events.eventDetail>;
export type FeedEvent = z.output<typeof events.feedEvent>;
export type FeedPage = z.output<typeof events.feedPageSchema>;
export type SentEvent = Pick<EventDetail, 'id' | 'type' | 'timestamp' | 'storeId' | 'data' | 'resourceId'>;
