import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EVENT_SAMPLES } from '../../src/adapters/http/webhooks/merchant-event.ts';
import { WEBHOOK_EVENTS } from '../../src/adapters/http/webhooks/webhook-event.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { startReceiver, verified, type Receiver } from '../support/receiver.ts';
import type { MerchantSubscription } from '../support/webhooks.ts';

let app: OpenApp;
let receiver: Receiver;
let store: TestStore;
beforeAll(async () => {
  app = await openApp();
  receiver = await startReceiver();
  store = await app.aStore();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const trigger = (words: readonly string[], stdin = '') =>
  runCommand(['events', 'trigger', ...words], {
    env: { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN },
    stdin,
  });
const dataOf = async (out: string): Promise<unknown> => {
  const { eventId } = JSON.parse(out) as { eventId: string };
  const { body } = await app.admin('get', `/admin/stores/${store.id}/events/${eventId}`).expect(200);
  return (body as { data: unknown }).data;
};

describe('tenon events trigger', () => {
  it('every sample arrives as the webhooks of the OpenAPI document describe it', async () => {
    const types = EVENT_SAMPLES.map(({ type }) => type);
    const path = `/admin/stores/${store.id}/webhooks/subscriptions`;
    const made = await app.admin('post', path).send({ url: receiver.url, eventTypes: types }).expect(200);
    const { signingSecret } = made.body as MerchantSubscription;
    for (const type of types) {
      const { status, out, err } = await trigger([type]);
      expect({ status, err, out }).toMatchObject({
        status: 0,
        err: '',
        out: expect.stringMatching(/^event\t\S+\nsubscriptions\t1\n$/),
      });
    }
    const arrived = new Map<string, unknown>();
    while (arrived.size < types.length + 1) {
      const event = verified(await receiver.next(), signingSecret) as { type: string };
      arrived.set(event.type, event);
    }
    for (const { type, data } of EVENT_SAMPLES) {
      expect(WEBHOOK_EVENTS[type].parse(arrived.get(type))).toMatchObject({ type, data });
    }
  });

  it('--set changes fields of the sample, --data takes other data, --id records once', async () => {
    const set = await trigger(['order.paid', '--set', 'id=order-7', '--set', 'customer.name=Ada', '--json']);
    expect(await dataOf(set.out)).toMatchObject({ id: 'order-7', currency: 'EUR', customer: { name: 'Ada' } });
    const given = await trigger(['order.paid', '--data', '-', '--set', 'total=1', '--json', '--id', 'mine'], '{"id":"o-9"}');
    expect(await dataOf(given.out)).toEqual({ id: 'o-9', total: 1 });
    const again = await trigger(['order.paid', '--json', '--id', 'mine']);
    expect(await dataOf(again.out)).toEqual({ id: 'o-9', total: 1 });
  });

  it('--list shows the types that can be triggered', async () => {
    const { out } = await trigger(['--list']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(EVENT_SAMPLES.map(({ type }) => type));
  });

  it.each([
    [['product.updated'], /product\.updated cannot be triggered\. You can trigger order\.created, .*make the change/],
    [['nonsense'], /nonsense cannot be triggered/],
    [[], /Give the type/],
    [['order.paid', '--set', 'x'], /path=value/],
    [['order.paid', '--data', 'file.json'], /--data takes - only/],
    [['order.paid', '--data', '-'], /must be a JSON object/],
  ])('%j exits with 2', async (words, message) => {
    expect(await trigger(words, '[1]')).toMatchObject({ status: 2, out: '', err: expect.stringMatching(message) });
  });
});
