import type { Attempt, LoggedDelivery } from '../../domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../domain/webhooks/shown-delivery.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { sharedTraceparent } from '../../domain/trace.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { inStoreOf } from './in-its-store.ts';
import { sentHeaders } from '../../domain/webhooks/webhook-message.ts';

export interface SentRequest {
  /** Null when the subscription was removed: its URL is no longer known. */
  readonly url: string | null;
  /** In the order of sending. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DeliveryDetail extends Delivery {
  /** The bytes that each attempt sends, as text. */
  readonly body: string;
  /** `request` is null when nothing was sent. */
  readonly log: readonly (Omit<Attempt, 'signature' | 'gap'> & { readonly request: SentRequest | null })[];
}

const requestOf = (logged: LoggedDelivery, { signature, startedAt, number, gap }: Attempt, bytes: number): SentRequest | null => {
  if (signature === null) return null;
  const { id, receiver, eventId, subscriptionId, installationId } = logged;
  const { url } = receiver;
  const timestamp = Math.floor(Date.parse(startedAt) / 1000);
  const traceparent = sharedTraceparent(logged, { installationId, deliveryId: id, number });
  return { url, headers: sentHeaders(url, { eventId, timestamp, signature, subscriptionId, number, gap, traceparent }, bytes) };
};

/** An attempt's headers follow from what is kept of it, its signature above all. */
const detailOf = (logged: LoggedDelivery): DeliveryDetail => {
  const { log, traceparent: _traceparent, origin: _origin, ...delivery } = logged;
  const bytes = new TextEncoder().encode(logged.body).length;
  const shown = log.map((attempt) => {
    const { signature: _signature, gap: _gap, ...seen } = attempt;
    return { ...seen, request: requestOf(logged, attempt, bytes) };
  });
  return { ...delivery, log: shown };
};

/**
 * A delivery with its body and its attempts, in order. For an app, the delivery of another
 * installation does not exist.
 */
export const getDelivery =
  ({ deliveryLog, locator }: Pick<Ports, 'deliveryLog' | 'locator'>) =>
  async (id: string, caller?: Pick<Caller, 'storeId' | 'installationId'>): Promise<Result<DeliveryDetail, 'not_found'>> => {
    const delivery = caller
      ? await deliveryLog.get(caller.storeId, id)
      : await inStoreOf(locator, 'delivery', id, (storeId) => deliveryLog.get(storeId, id));
    const isTheirs = caller === undefined || delivery?.installationId === caller.installationId;
    return delivery && isTheirs ? ok(detailOf(delivery)) : notFound('Delivery');
  };
