import type { Cause } from '../../domain/cause.ts';
import type { EventType } from '../../domain/webhooks/event.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { isLongerThan } from '../../domain/values/text.ts';
import { parseUuid } from '../../domain/values/uuid.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

export interface MerchantEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** The merchant's own id, so that sending the event twice is harmless. */
  readonly id?: string | undefined;
}

export interface RecordedEvent {
  readonly eventId: string;
  readonly subscriptions: number;
}

/** A UUID is the id of its event. From another text the id follows, so that the same text finds it again. */
const idOf = (storeId: string, given: string | undefined, ids: Ids): string => {
  if (given === undefined) return ids.next();
  return parseUuid(given) ?? ids.named(storeId, given);
};

/** Equals the limit of the feed's filter. */
const MAX_RESOURCE = 255;

/** The resource an order's event is about, where its data names one by an id that can be looked for. */
const resourceOf = ({ id }: MerchantEvent['data']): string | null =>
  typeof id === 'string' && !isLongerThan(id, MAX_RESOURCE) ? id : null;

/**
 * An event that no route of this service causes, such as a paid order (docs/specification/feed.md,
 * "The merchant's events"). The same id again changes nothing and sends nothing.
 */
export const recordEvent =
  ({ deliveryLog, ids, stores, transaction }: Pick<Ports, 'deliveryLog' | 'ids' | 'stores' | 'transaction'>) =>
  async (cause: Cause, storeId: string, { type, data, id }: MerchantEvent): Promise<Result<RecordedEvent, 'not_found'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const eventId = idOf(storeId, id, ids);
    await transaction.run(cause, (tx) =>
      tx.events.append([{ id: eventId, storeId, type, resourceId: resourceOf(data), origin: null, data }]),
    );
    return ok({ eventId, subscriptions: await deliveryLog.countMatching(storeId, type) });
  };
