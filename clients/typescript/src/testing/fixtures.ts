import type { EventOf, EventType, TenonEvent } from '../event.ts';
import { EVENT_DATA } from '../generated/events.ts';
import { sign } from '../webhooks/sign.ts';

const STORE_ID = '019a0000-0000-7000-8000-000000000099';

/**
 * An event of this type as Tenon sends it: with the data of the example in the documents, and what you
 * give in its place. Each has an id of its own.
 *
 * @example
 * await hooks.handle(eventOf('product.updated', { changedFields: ['name'] }));
 */
export const eventOf = <T extends EventType>(type: T, data: Partial<EventOf<T>['data']> = {}): EventOf<T> =>
  ({
    id: crypto.randomUUID(),
    type,
    timestamp: new Date().toISOString(),
    storeId: STORE_ID,
    data: { ...EVENT_DATA[type], ...data },
  }) as EventOf<T>;

/**
 * The delivery of an event, signed as Tenon signs it.
 *
 * @example
 * const response = await hooks.fetch(await signedRequest(eventOf('product.deleted'), secret));
 */
export const signedRequest = async (
  event: TenonEvent,
  secret: string,
  url = 'https://app.example/webhooks',
): Promise<Request> => {
  const body = JSON.stringify(event);
  return new Request(url, { method: 'POST', headers: await sign(secret, { id: event.id, body }), body });
};
