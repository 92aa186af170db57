import { frozenBodies } from '../../../domain/webhooks/event.ts';
import type { FrozenBodies, NewEvent } from '../../../domain/webhooks/event.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { EventRepository } from '../../../domain/ports/event-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { table } from '../state.ts';
import type { MemoryState } from '../state.ts';

/** Kept under `storeId/id`. `createdAt` in milliseconds. */
export interface StoredEvent extends NewEvent, FrozenBodies {
  readonly id: string;
  readonly requestId: string | null;
  readonly createdAt: number;
  /** It waits for its fan-out. */
  readonly pending: boolean;
}

export const eventsOf = (state: MemoryState): Map<string, StoredEvent> => table<StoredEvent>(state, 'events');

export const eventRepository = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): EventRepository => ({
  append: async (events, requestId = null) =>
    events.map((event) => {
      const id = event.id ?? ids.next();
      const key = `${event.storeId}/${id}`;
      const createdAt = clock.now();
      if (!eventsOf(state).has(key)) {
        const bodies = frozenBodies(event, id, isoTime(createdAt));
        eventsOf(state).set(key, { ...event, ...bodies, id, requestId, createdAt, pending: true });
      }
      return id;
    }),
});
