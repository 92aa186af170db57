import { deliveryRoutes } from './delivery-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { ownDeliveryRoutes } from './own-delivery-routes.ts';
import { ownEventRoutes } from './own-event-routes.ts';
import { ownReceiverRoutes } from './own-receiver-routes.ts';
import { ownRedeliveryRoutes } from './own-redelivery-routes.ts';
import { ownSubscriptionRoutes } from './own-subscription-routes.ts';
import { subscriptionRoutes } from './subscription-routes.ts';

export const webhookRoutes = {
  app: [...ownSubscriptionRoutes, ...ownEventRoutes, ...ownDeliveryRoutes],
  admin: [...subscriptionRoutes, ...deliveryRoutes, ...eventRoutes],
  portal: [...ownReceiverRoutes, ...ownRedeliveryRoutes],
};
