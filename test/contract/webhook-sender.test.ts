import { manualClock } from '../memory/clock.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { createWebhookSender as createMemorySender } from '../memory/webhooks/webhook-sender.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { createWebhookSender } from '../../src/adapters/outgoing/webhook/webhook-sender.ts';
import type { WebhookResponse } from '../../src/domain/ports/webhooks/webhook-sender.ts';
import { hang, respond, startReceiver } from '../support/receiver.ts';
import { webhookSenderContract } from './webhook-sender.contract.ts';

const names: Record<string, string[]> = {
  'private.example.com': ['10.0.0.1'],
  'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
  'nowhere.example.com': [],
};
const allowed = parseCidrs('127.0.0.0/8');

webhookSenderContract('memory', async (timeoutSeconds) => {
  let answer = (): Partial<WebhookResponse> | Promise<Partial<WebhookResponse>> => ({});
  let waiting: (() => void)[] = [];
  const sender = createMemorySender({
    names,
    allowed,
    answer: () => {
      waiting.forEach((look) => look());
      return answer();
    },
  });
  return {
    sender,
    url: 'http://127.0.0.1:1/hook',
    arrived: () => sender.sent.map(({ headers, body }) => ({ headers, body })),
    seen: async (count) => {
      while (sender.sent.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      waiting = [];
    },
    answers: (given) => {
      answer = () =>
        given === 'silence'
          ? new Promise((resolve) =>
              setTimeout(() => resolve({ status: null, error: 'timeout' }), timeoutSeconds * 1_000).unref(),
            )
          : { ...given, retryAfterSeconds: Number(given.headers?.['retry-after'] ?? NaN) || null };
    },
    close: () => sender.close(),
  };
});

webhookSenderContract('outgoing', async (timeoutSeconds) => {
  const receiver = await startReceiver();
  receiver.answer(respond(200));
  const addresses = createAddressResolver(names);
  const sender = createWebhookSender({ addresses, allowed, clock: manualClock(), timeoutSeconds });
  return {
    sender,
    url: `${receiver.url}/hook`,
    arrived: () => receiver.received.map(({ headers, body }) => ({ headers, body: body.toString() })),
    seen: async (count) => {
      while (receiver.received.length < count) await receiver.next();
    },
    answers: (given) => receiver.answer(given === 'silence' ? hang : respond(given.status, given.body, given.headers)),
    close: async () => {
      await sender.close();
      await receiver.close();
    },
  };
});
