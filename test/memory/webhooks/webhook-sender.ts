import ipaddr from 'ipaddr.js';

import type { Cidr } from '../../../src/domain/webhooks/address.ts';
import type { WebhookRequest, WebhookResponse, WebhookSender } from '../../../src/domain/ports/webhooks/webhook-sender.ts';
import { checkAddresses } from '../../../src/domain/webhooks/subscription.ts';
import { parseTarget } from '../../../src/domain/webhooks/webhook-url.ts';
import { createAddressResolver } from '../address-resolver.ts';

/** A name that is not among those given has this address. */
const PUBLIC = '1.1.1.1';

const KEPT = 4096;

export interface MemoryWebhookSenderOptions {
  /**
   * Response of the receiver, 200 with an empty body by default; a promise keeps the request in
   * flight until it settles.
   */
  readonly answer?: (request: WebhookRequest) => Partial<WebhookResponse> | Promise<Partial<WebhookResponse>>;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly allowed?: readonly Cidr[];
}

export interface MemoryWebhookSender extends WebhookSender {
  /** Sent requests, in order. */
  readonly sent: readonly WebhookRequest[];
}

const failed = (error: WebhookResponse['error']): WebhookResponse => ({
  status: null,
  error,
  address: null,
  body: null,
  retryAfterSeconds: null,
  durationMs: 0,
});

/**
 * A sender whose receivers are a function. It judges addresses as the real one does, and sends
 * nothing.
 */
export const createWebhookSender = ({
  answer = () => ({}),
  names = {},
  allowed = [],
}: MemoryWebhookSenderOptions = {}): MemoryWebhookSender => {
  const sent: WebhookRequest[] = [];
  const closing = new AbortController();

  const dial = async ({
    url,
    askedBy,
  }: WebhookRequest): Promise<{ readonly address: string } | { readonly refused: WebhookResponse }> => {
    const target = parseTarget(url);
    if (!target.ok) return { refused: failed('address_not_allowed') };
    const { host, secure } = target.value;
    const found = await createAddressResolver({ [host]: [PUBLIC], ...names }).resolve(host, askedBy);
    if (found === 'busy') return { refused: failed('name_lookups_busy') };
    const [first] = found;
    if (!first) return { refused: failed('name_not_resolved') };
    if (checkAddresses(found, secure, allowed) !== null) return { refused: failed('address_not_allowed') };
    return { address: ipaddr.fromByteArray([...first]).toString() };
  };

  const exchange = async (request: WebhookRequest): Promise<WebhookResponse> => {
    const dialled = await dial(request);
    if ('refused' in dialled) return dialled.refused;
    sent.push(request);
    const response = { ...failed(null), status: 200, body: '', ...dialled, ...(await answer(request)) };
    return { ...response, body: response.status === null ? null : (response.body?.slice(0, KEPT) ?? '') };
  };

  return {
    sent,
    send: async (request, signal) => {
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return null;
      const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null), { once: true }));
      return await Promise.race([exchange(request), stopped]);
    },
    close: async () => closing.abort(),
  };
};
