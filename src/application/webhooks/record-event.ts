import type { EventType } from '../../domain/webhooks/event.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

export interface MerchantEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** A UUID of the merchant's own, so that sending it twice is harmless. */
  readonly id?: string | undefined;
}

export interface RecordedEvent {
  readonly eventId: string;
  /** How many subscriptions it goes to. */
  readonly subscriptions: number;
}

/** The resource an order's event is about, where its data names one. */
const resourceOf = ({ id }: MerchantEvent['data']): string | null => (typeof id === 'string' ? id : null);

/**
 * An event that no route of this service causes, such as a paid order (admin-api.md). The same id
 * again changes nothing and sends nothing.
 */
export const recordEvent =
  ({ deliveryLog, ids, stores, transaction }: Pick<Ports, 'deliveryLog' | 'ids' | 'stores' | 'transaction'>) =>
  async (storeId: string, { type, data, id }: MerchantEvent): Promise<Result<RecordedEvent, 'not_found'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const eventId = id ?? ids.next();
    await transaction.run((tx) =>
      tx.events.append([{ id: eventId, storeId, type, resourceId: resourceOf(data), origin: null, data }]),
    );
    return ok({ eventId, subscriptions: await deliveryLog.countMatching(storeId, type) });
  };
