import { deliveryRoutes, ownDeliveryRoutes } from './delivery-routes.ts';
import { eventRoutes, ownEventRoutes } from './events.ts';
import { ownReceiverRoutes, ownSubscriptionRoutes } from './own-subscriptions.ts';
import { ownRedeliveryRoutes } from './redeliveries.ts';
import { subscriptionRoutes } from './subscriptions.ts';

export const webhookRoutes = {
  app: [...ownSubscriptionRoutes, ...ownEventRoutes, ...ownDeliveryRoutes],
  admin: [...subscriptionRoutes, ...deliveryRoutes, ...eventRoutes],
  portal: [...ownReceiverRoutes, ...ownRedeliveryRoutes],
};
