import { TenonError } from 'tenon-client';

import { json, must } from '../host/http.ts';
import { APP_PATH, logged, payOrder } from './deliveries.ts';
import type { Shop } from './opening.ts';
import { verified, type Receiver } from './receiver.ts';
import { step } from './step.ts';

/** The receiver's path for the merchant's own subscription. */
const MERCHANT_PATH = '/merchant';

/** Takes the merchant's next delivery; throws unless it is of this type. */
const expectMerchantEvent = async (receiver: Receiver, signingSecret: string, type: string): Promise<void> => {
  const event = await verified(await receiver.next(MERCHANT_PATH), signingSecret);
  must(event.type === type, `the merchant's subscription got ${event.type} instead of ${type}`);
};

/** The merchant subscribes with the same receiver. Returns the signing secret. */
const subscribeMerchant = ({ merchant, storeId }: Shop, receiver: Receiver): Promise<string> =>
  step(
    "merchant's subscription",
    async () => {
      const request = { url: `${receiver.url}${MERCHANT_PATH}`, eventTypes: ['app.uninstalled', 'order.shipped'] };
      const answer = await merchant.post(200, `/admin/stores/${storeId}/webhooks/subscriptions`, request);
      const { signingSecret } = json(answer) as { signingSecret: string };
      await expectMerchantEvent(receiver, signingSecret, 'ping');
      return signingSecret;
    },
    () => 'the merchant subscribed to app.uninstalled and order.shipped, with a secret of its own',
  );

/**
 * Uninstalls the app, then checks that nothing reaches it any more. No wait is needed: the
 * merchant's own subscription gets a later event that the app had subscribed to as well, and by
 * then the log would list the app's delivery.
 */
export const leave = async (shop: Shop, receiver: Receiver): Promise<void> => {
  const { merchant, app, storeId, installationId, products } = shop;
  const merchantSecret = await subscribeMerchant(shop, receiver);
  await step(
    'uninstall',
    async () => {
      receiver.failNext();
      await payOrder(shop, 'order.paid', 'tour-3');
      await verified(await receiver.next(APP_PATH), shop.signingSecret);
      await merchant.post(204, `/admin/apps/${installationId}/uninstall`);
      const dropped = (await logged(shop, 'order.paid')).filter(({ status }) => status === 'Dropped');
      must(dropped.length === 1, `the log lists ${dropped.length} dropped deliveries instead of 1`);
      await expectMerchantEvent(receiver, merchantSecret, 'app.uninstalled');
    },
    () => 'the merchant uninstalled the app; a waiting delivery was dropped, and app.uninstalled arrived',
  );
  await step(
    'silence',
    async () => {
      const before = receiver.arrived(APP_PATH).length;
      const updates = (await logged(shop, 'product.updated')).length;
      const [product] = products;
      must(product !== undefined, 'there is no product');
      const { updated } = await merchant.importProducts(storeId, [{ id: product.id, name: `${product.name}, low angle` }]);
      must(updated === 1, 'the merchant can no longer change a product');
      await payOrder(shop, 'order.shipped', 'tour-1');
      await expectMerchantEvent(receiver, merchantSecret, 'order.shipped');
      const later = (await logged(shop, 'product.updated')).length - updates + (await logged(shop, 'order.shipped')).length;
      must(later === 0, `${later} deliveries were queued for the app`);
      must(receiver.arrived(APP_PATH).length === before, 'a delivery reached the app');
    },
    () => 'later events reached the merchant only; nothing was sent or queued for the app',
  );
  await step(
    'credentials',
    async () => {
      // The client trades the client secret for a new token when the old one is refused, so this is about both.
      const error: unknown = await app.subscriptions.list().catch((reason: unknown) => reason);
      must(error instanceof TenonError && error.status === 401, `the app was not answered 401: ${String(error)}`);
    },
    () => "the app's token and client secret are answered 401",
  );
};

/** The store stays, but inactive, so that nobody takes it for a real one. */
export const closeShop = async ({ merchant, storeId }: Shop): Promise<void> => {
  await step(
    'end',
    () => merchant.patch(200, `/admin/stores/${storeId}`, { status: 'Inactive' }),
    () => "the tour's store is now inactive",
  );
};
