import type { Cause } from '../../domain/cause.ts';
import type { EventType } from '../../domain/webhooks/event.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { parseUuid } from '../../domain/values/uuid.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { eventResource } from '../../domain/webhooks/event-resource.ts';

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

/**
 * An event that no route of this service causes, such as a paid order (docs/specification/feed.md,
 * "The merchant's events"). The same id again changes nothing and sends nothing.
 */
export const recordEvent =
  ({ deliveryLog, ids, stores, transaction }: Pick<Ports, 'deliveryLog' | 'ids' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    { type, data, id }: MerchantEvent,
  ): Promise<Result<RecordedEvent, 'invalid' | 'not_found'>> => {
    const resource = eventResource(data);
    if (!resource.ok) return resource;
    if (!(await stores.get(storeId))) return notFound('Store');
    const eventId = idOf(storeId, id, ids);
    await transaction.run(cause, (tx) =>
      tx.events.append([{ id: eventId, storeId, type, resourceId: resource.value, origin: null, data }]),
    );
    return ok({ eventId, subscriptions: await deliveryLog.countMatching(storeId, type) });
  };
