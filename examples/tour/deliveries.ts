import { randomUUID } from 'node:crypto';
import type { EventOf, EventType, ProductChangeResult } from 'tenon-client';

import { json, must } from '../host/http.ts';
import type { Shop } from './opening.ts';
import { isRefused, verified, type Arrival, type Receiver } from './receiver.ts';
import { step } from './step.ts';

/** The receiver's path for the app's deliveries. */
export const APP_PATH = '/app';
/** The second attempt comes 5 s after the end of the first, give or take 20 %. */
const EARLIEST_RETRY_SECONDS = 4;
const EVENT_TYPES = ['product.updated', 'order.paid', 'order.shipped'] as const;

interface Delivered<T extends EventType> {
  readonly arrival: Arrival;
  readonly event: EventOf<T>;
}

/** The next delivery to the app, verified; throws unless it is of this type. */
const nextEvent = async <T extends EventType>({ signingSecret }: Shop, receiver: Receiver, type: T): Promise<Delivered<T>> => {
  const arrival = await receiver.next(APP_PATH);
  const event = await verified(arrival, signingSecret);
  must(event.type === type, `${event.type} arrived instead of ${type}`);
  must(arrival.headers['webhook-id'] === event.id, 'webhook-id is not the id of the event');
  return { arrival, event: event as EventOf<T> };
};

/** Updates one product; throws unless it is updated. */
const update = async ({ app }: Shop, key: string, id: string, metaTitle: string): Promise<ProductChangeResult> => {
  const { value: result } = await app.products.bulkUpdate([{ id, metaTitle }], { key }).next();
  must(result?.status === 'Updated', `the result was ${JSON.stringify(result)}`);
  return result;
};

/** The app's deliveries of this type in the merchant's log. */
export const logged = async (
  { merchant, storeId, installationId }: Shop,
  type: string,
): Promise<{ readonly status: string }[]> => {
  const answer = await merchant.get(`/admin/stores/${storeId}/deliveries?installationId=${installationId}&take=250`);
  const { items } = json(answer) as { items: { eventType: string; status: string }[] };
  return items.filter(({ eventType }) => eventType === type);
};

/** The app subscribes and gets a ping. */
export const subscribe = async (shop: Shop, receiver: Receiver): Promise<void> => {
  await step(
    'subscription',
    () => shop.app.subscriptions.create({ url: `${receiver.url}${APP_PATH}`, eventTypes: [...EVENT_TYPES] }),
    () => `the app subscribed to ${EVENT_TYPES.join(', ')}`,
  );
  await step(
    'ping',
    () => nextEvent(shop, receiver, 'ping'),
    () => 'a ping arrived, and its signature is valid',
  );
};

/** A bulk update, its delivery, and a replay, which causes no second event. */
export const updateInBulk = async (shop: Shop, receiver: Receiver): Promise<void> => {
  const [first, second] = shop.products;
  must(first !== undefined && second !== undefined, 'the list has too few products');
  const key = randomUUID();
  const original = await step(
    'bulk update',
    () => update(shop, key, first.id, `${first.name} | Tour`),
    () => 'the app updated 1 of 1 products under an idempotency key',
  );
  await step(
    'delivery',
    async () => {
      const { arrival, event } = await nextEvent(shop, receiver, 'product.updated');
      must(event.data.id === first.id, 'the event names another product');
      must(event.data.origin === shop.installationId, 'the event does not name the app that made the change');
      const altered = { ...arrival, body: Buffer.from(arrival.body.toString().replace(first.name, first.name.toUpperCase())) };
      must(await isRefused(altered, shop.signingSecret), 'tenon-client accepts an altered body');
      return event;
    },
    ({ data }) =>
      `product.updated arrived for ${String(data.changedFields)}; its signature is valid, and invalid for an altered body`,
  );
  await step(
    'replay',
    async () => {
      const again = await update(shop, key, first.id, `${first.name} | Tour`);
      must(again.replayed && !original.replayed, 'the second answer is not a replay of the first');
      // The log would list an event of the replay before the event of this update.
      await update(shop, randomUUID(), second.id, `${second.name} | Tour`);
      const { event } = await nextEvent(shop, receiver, 'product.updated');
      const made = await logged(shop, 'product.updated');
      must(event.data.id === second.id && made.length === 2, 'the replay caused a second event');
    },
    () => 'the same request was answered from memory and caused no second event',
  );
};

/** The merchant reports an order. */
export const payOrder = async ({ merchant, storeId }: Shop, type: 'order.paid' | 'order.shipped', id: string): Promise<void> => {
  await merchant.post(202, `/admin/stores/${storeId}/events`, { type, data: { id, total: 79, currency: 'EUR' } });
};

/** Two paid orders; the first attempt to deliver the second one fails. */
export const orders = async (shop: Shop, receiver: Receiver): Promise<void> => {
  await step(
    'order',
    async () => {
      await payOrder(shop, 'order.paid', 'tour-1');
      const { event } = await nextEvent(shop, receiver, 'order.paid');
      must(event.data['id'] === 'tour-1', 'the event names another order');
    },
    () => 'the merchant reported order.paid, and it arrived with a valid signature',
  );
  await step(
    'retry',
    async () => {
      receiver.failNext();
      await payOrder(shop, 'order.paid', 'tour-2');
      const { arrival: first } = await nextEvent(shop, receiver, 'order.paid');
      const { arrival: second } = await nextEvent(shop, receiver, 'order.paid');
      must(first.headers['webhook-id'] === second.headers['webhook-id'], 'the second attempt has another webhook-id');
      must(first.body.equals(second.body), 'the second attempt has other bytes');
      const attempt = second.headers['webhook-attempt'];
      must(attempt === '2', `webhook-attempt is ${String(attempt)} instead of 2`);
      const seconds = (second.at - first.at) / 1000;
      must(seconds > EARLIEST_RETRY_SECONDS, `the second attempt came too early, after ${seconds.toFixed(1)} s`);
      return seconds;
    },
    (seconds) => `the receiver answered 500; attempt 2 arrived ${seconds.toFixed(1)} s later with the same id and bytes`,
  );
};
