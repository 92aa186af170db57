import type { Cause } from '../../../src/domain/cause.ts';
import { frozenBodies, type FrozenBodies, type NewEvent } from '../../../src/domain/webhooks/event.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { EventRepository } from '../../../src/domain/ports/webhooks/event-repository.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';

/** Kept under `storeId/id`. `createdAt` in milliseconds. */
export interface StoredEvent extends NewEvent, FrozenBodies {
  readonly id: string;
  readonly requestId: string | null;
  readonly traceparent: string | null;
  readonly createdAt: number;
  readonly pending: boolean;
  /** Members for the data of bodies that include the product. */
  readonly included?: string;
}

export const eventsOf = (state: MemoryState): Map<string, StoredEvent> => table<StoredEvent>(state, 'events');

export const eventRepository = (
  state: MemoryState,
  { clock, ids }: { clock: Clock; ids: Ids },
  cause: Cause,
): EventRepository => ({
  append: async (events) =>
    events.map((event) => {
      const id = event.id ?? ids.next();
      const key = `${event.storeId}/${id}`;
      const createdAt = clock.now();
      if (!eventsOf(state).has(key)) {
        const bodies = frozenBodies(event, id, isoTime(createdAt));
        const { requestId = null, traceparent = null } = cause ?? {};
        eventsOf(state).set(key, { ...event, ...bodies, id, requestId, traceparent, createdAt, pending: true });
      }
      return id;
    }),
});
