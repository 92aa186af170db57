import { randomUUID } from 'node:crypto';

import { json, must } from './http.ts';
import type { Answer } from './http.ts';
import type { Shop } from './opening.ts';
import { isRefused, verified } from './receiver.ts';
import type { Arrival, Receiver, WebhookEvent } from './receiver.ts';
import { step } from './step.ts';

/** Where the receiver takes the app's deliveries. */
export const APP_PATH = '/app';
/** The second attempt comes 5 s after the end of the first, give or take 20 %. */
const EARLIEST_RETRY_SECONDS = 4;
const EVENT_TYPES = ['product.updated', 'order.paid', 'order.shipped'];

interface Delivered {
  readonly arrival: Arrival;
  readonly event: WebhookEvent;
}

/** The next delivery to the app, verified; throws unless it is of this type. */
const nextEvent = async ({ signingSecret }: Shop, receiver: Receiver, type: string): Promise<Delivered> => {
  const arrival = await receiver.next(APP_PATH);
  const event = verified(arrival, signingSecret);
  must(event.type === type, `a ${event.type} came in place of ${type}`);
  must(arrival.headers['webhook-id'] === event.id, 'webhook-id is not the id of the event');
  return { arrival, event };
};

const sendBulk = ({ app }: Shop, key: string, id: string, metaTitle: string): Promise<Answer> =>
  app.post(200, '/apps/catalog/products/bulk', { products: [{ id, metaTitle }] }, { 'idempotency-key': key });

/** What the merchant's log holds of this type for the app. */
export const logged = async (
  { merchant, storeId, installationId }: Shop,
  type: string,
): Promise<{ readonly status: string }[]> => {
  const answer = await merchant.get(`/admin/stores/${storeId}/deliveries?installationId=${installationId}&take=250`);
  const { items } = json(answer) as { items: { eventType: string; status: string }[] };
  return items.filter(({ eventType }) => eventType === type);
};

/** The app subscribes; the ping that follows arrives. */
export const subscribe = async (shop: Shop, receiver: Receiver): Promise<void> => {
  await step(
    'subscription',
    () => shop.app.post(200, '/apps/webhooks/subscriptions', { url: `${receiver.url}${APP_PATH}`, eventTypes: EVENT_TYPES }),
    () => `POST /apps/webhooks/subscriptions got 200: ${EVENT_TYPES.join(', ')}`,
  );
  await step(
    'ping',
    () => nextEvent(shop, receiver, 'ping'),
    () => 'it arrived, and standardwebhooks accepts its signature',
  );
};

/** A bulk update, its delivery, and its replay, which causes no second one. */
export const updateInBulk = async (shop: Shop, receiver: Receiver): Promise<void> => {
  const [first, second] = shop.products;
  must(first !== undefined && second !== undefined, 'the list holds too few products');
  const key = randomUUID();
  const original = await step(
    'bulk update',
    async () => {
      const answer = await sendBulk(shop, key, first.id, `${first.name} | Tour`);
      must((json(answer) as { succeeded: number }).succeeded === 1, `it was answered ${answer.body}`);
      return answer;
    },
    () => `POST /apps/catalog/products/bulk with an Idempotency-Key got 200: 1 of 1 succeeded`,
  );
  await step(
    'delivery',
    async () => {
      const { arrival, event } = await nextEvent(shop, receiver, 'product.updated');
      must(event.data['id'] === first.id, 'it tells of another product');
      must(event.data['origin'] === shop.installationId, 'it does not tell who made the change');
      const altered = { ...arrival, body: arrival.body.replace(first.name, first.name.toUpperCase()) };
      must(isRefused(altered, shop.signingSecret), 'standardwebhooks accepts an altered body');
      return event;
    },
    ({ data }) => `product.updated of ${String(data['changedFields'])}; standardwebhooks accepts it, and refuses it once altered`,
  );
  await step(
    'replay',
    async () => {
      const again = await sendBulk(shop, key, first.id, `${first.name} | Tour`);
      must(again.headers['idempotent-replay'] === 'true', 'it lacks Idempotent-Replay: true');
      must(again.body === original.body, 'its bytes differ from the first answer');
      // An event of the replay would stand in the log before the one of this update.
      await sendBulk(shop, randomUUID(), second.id, `${second.name} | Tour`);
      const { event } = await nextEvent(shop, receiver, 'product.updated');
      const made = await logged(shop, 'product.updated');
      must(event.data['id'] === second.id && made.length === 2, 'it caused a second event');
    },
    () => 'the same request got the same bytes with Idempotent-Replay: true, and caused no second event',
  );
};

/** The merchant tells that an order was paid. */
export const payOrder = async ({ merchant, storeId }: Shop, type: 'order.paid' | 'order.shipped', id: string): Promise<void> => {
  await merchant.post(202, `/admin/stores/${storeId}/events`, { type, data: { id, total: 79, currency: 'EUR' } });
};

/** An order that is paid; another whose delivery fails at first. */
export const orders = async (shop: Shop, receiver: Receiver): Promise<void> => {
  await step(
    'order',
    async () => {
      await payOrder(shop, 'order.paid', 'tour-1');
      const { event } = await nextEvent(shop, receiver, 'order.paid');
      must(event.data['id'] === 'tour-1', 'it tells of another order');
    },
    () => 'the merchant sent order.paid to POST /admin/stores/{id}/events and got 202; it arrived, verified',
  );
  await step(
    'retry',
    async () => {
      receiver.failNext();
      await payOrder(shop, 'order.paid', 'tour-2');
      const { arrival: first } = await nextEvent(shop, receiver, 'order.paid');
      const { arrival: second } = await nextEvent(shop, receiver, 'order.paid');
      must(first.headers['webhook-id'] === second.headers['webhook-id'], 'its webhook-id is another one');
      must(first.body === second.body, 'its bytes differ');
      const attempt = second.headers['webhook-attempt'];
      must(attempt === '2', `its webhook-attempt is ${String(attempt)}`);
      const seconds = (second.at - first.at) / 1000;
      must(seconds > EARLIEST_RETRY_SECONDS, `it came after ${seconds.toFixed(1)} s`);
      return seconds;
    },
    (seconds) =>
      `the receiver answered 500; webhook-attempt 2 came ${seconds.toFixed(1)} s later with the same webhook-id and bytes`,
  );
};
